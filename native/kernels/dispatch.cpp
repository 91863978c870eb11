#include "dispatch.hpp"

#include <cstring>

#include "drivers.hpp"

namespace g2milp {

namespace {

constexpr const char* kNames[] = {"base", "avx2", "avx512"};

bool supported(Isa isa) {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
  if (isa == Isa::avx2) return avx2;
  if (isa == Isa::avx512) return avx2 && avx512;
#endif
  return isa == Isa::base;
}

Isa best() {
  if (supported(Isa::avx512)) return Isa::avx512;
  return supported(Isa::avx2) ? Isa::avx2 : Isa::base;
}

}  // namespace

Isa& chosen_isa() {
  static Isa isa = best();
  return isa;
}

const char* instruction_set() { return kNames[static_cast<int>(chosen_isa())]; }

bool select_instruction_set(const char* name) {
  for (int i = 0; i < 3; ++i)
    if (std::strcmp(name, kNames[i]) == 0 && supported(static_cast<Isa>(i))) {
      chosen_isa() = static_cast<Isa>(i);
      return true;
    }
  return false;
}

}  // namespace g2milp

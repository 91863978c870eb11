// The row kernels of the best instruction set that this processor has.
#pragma once

#include "plan.hpp"

namespace g2milp {

enum class Isa { base, avx2, avx512 };

Isa& chosen_isa();

template <class T>
const RowKernels<T>& row_kernels() {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
  switch (chosen_isa()) {
    case Isa::avx512: return row_kernels_avx512<T>();
    case Isa::avx2: return row_kernels_avx2<T>();
    case Isa::base: break;
  }
#endif
  return row_kernels_base<T>();
}

}  // namespace g2milp

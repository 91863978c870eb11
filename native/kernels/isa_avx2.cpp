// The row kernels for AVX2 and FMA.
#include <cstddef>
#include <cstdint>

#include "plan.hpp"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
// After the standard headers: their inline functions must stay plain x86-64.
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#define G2MILP_ISA avx2
#define G2MILP_VECTOR_BYTES 32
#define G2MILP_TILE_ROWS 4
#define G2MILP_OUTER_TILE 8
#include "rows.hpp"
#pragma GCC pop_options

namespace g2milp {
template <> const RowKernels<float>& row_kernels_avx2<float>() { return avx2::kernels<float>; }
template <> const RowKernels<double>& row_kernels_avx2<double>() { return avx2::kernels<double>; }
}  // namespace g2milp
#endif

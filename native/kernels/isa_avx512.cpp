// The row kernels for AVX-512.
#include <cstddef>
#include <cstdint>

#include "plan.hpp"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
// After the standard headers: their inline functions must stay plain x86-64.
#pragma GCC push_options
#pragma GCC target("avx512f,avx512vl,avx512dq,avx512bw,avx2,fma,prefer-vector-width=512")
#define G2MILP_ISA avx512
#define G2MILP_VECTOR_BYTES 64
#define G2MILP_TILE_ROWS 8
#define G2MILP_OUTER_TILE 16
#include "rows.hpp"
#pragma GCC pop_options

namespace g2milp {
template <> const RowKernels<float>& row_kernels_avx512<float>() { return avx512::kernels<float>; }
template <> const RowKernels<double>& row_kernels_avx512<double>() { return avx512::kernels<double>; }
}  // namespace g2milp
#endif

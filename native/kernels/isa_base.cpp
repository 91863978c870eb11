// The row kernels for the plain instruction set of the platform (SSE2, NEON, …).
#include <cstddef>
#include <cstdint>

#include "plan.hpp"

#define G2MILP_ISA base
#define G2MILP_VECTOR_BYTES 16
#define G2MILP_TILE_ROWS 4
#define G2MILP_OUTER_TILE 8
#include "rows.hpp"

namespace g2milp {
template <> const RowKernels<float>& row_kernels_base<float>() { return base::kernels<float>; }
template <> const RowKernels<double>& row_kernels_base<double>() { return base::kernels<double>; }
}  // namespace g2milp

// The row kernels, written once over GCC/Clang vectors of G2MILP_VECTOR_BYTES and compiled for several
// instruction sets (isa_*.cpp), each in its own namespace G2MILP_ISA. One thread; fixed order of sums.
// No include guard: included once per instruction set.

namespace g2milp::G2MILP_ISA {

#define G2MILP_INLINE inline __attribute__((always_inline))

template <class T>
struct Simd {
  static constexpr int lanes = G2MILP_VECTOR_BYTES / sizeof(T);
  typedef T vec __attribute__((vector_size(G2MILP_VECTOR_BYTES)));
  typedef T loose __attribute__((vector_size(G2MILP_VECTOR_BYTES), aligned(sizeof(T)), may_alias));
  static G2MILP_INLINE vec load(const T* p) { return *reinterpret_cast<const loose*>(p); }
  static G2MILP_INLINE void store(T* p, vec v) { *reinterpret_cast<loose*>(p) = v; }
  static G2MILP_INLINE vec relu(vec v) { return v > vec{} ? v : vec{}; }
};

}  // namespace g2milp::G2MILP_ISA

#include "rows_dense.hpp"
#include "rows_edges.hpp"
#include "rows_norm.hpp"

namespace g2milp::G2MILP_ISA {

template <class T>
constexpr RowKernels<T> kernels = {mlp_forward<T>,        mlp_backward<T>, edge_forward<T>,
                                   edge_backward<T>,      norm_total<T>,   norm_squares<T>,
                                   norm_apply<T>,         norm_gradient_sums<T>, norm_gradient<T>};

}  // namespace g2milp::G2MILP_ISA

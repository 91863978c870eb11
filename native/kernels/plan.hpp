// What the drivers hand to the instruction-set specific row kernels: plain views, packed weights.
#pragma once

#include <cstddef>
#include <cstdint>

namespace g2milp {

constexpr int kPad = 16;        // every inner width is padded to a multiple of this many numbers
constexpr int kRows = 64;       // rows handled at a time, so that all intermediates stay in the L1 cache
constexpr int kMaxParts = 12;   // inputs that are read side by side instead of being concatenated

constexpr int padded(int width) { return (width + kPad - 1) / kPad * kPad; }

// y = relu([x_0 | x_1 | ...] W1 + b1) W2 + b2, or y = [x_0 | ...] W1 + b1 where `linear`.
// Weights are packed input-major and zero-padded; `*_t` are the transposes that the backward reads.
template <class T>
struct Mlp {
  int parts = 0;
  int width[kMaxParts] = {};     // of each part
  int mid = 0;                   // hidden width (of the linear map: its output width)
  int out = 0;
  bool linear = false;
  const T* w1[kMaxParts] = {};   // [width_p][padded(mid)]
  const T* w1_t[kMaxParts] = {}; // [mid][padded(width_p)]
  const T* b1 = nullptr;         // [padded(mid)]
  const T* w2 = nullptr;         // [mid][padded(out)]
  const T* w2_t = nullptr;       // [out][padded(mid)]
  const T* b2 = nullptr;         // [padded(out)]
};

// Sums of the weight gradients over some rows, in the packed layout of `Mlp`.
template <class T>
struct MlpGradient {
  T* w1[kMaxParts] = {};
  T* b1 = nullptr;
  T* w2 = nullptr;
  T* b2 = nullptr;
};

// Inputs or outputs of one block of rows: pointer and distance between rows of each part.
template <class T>
struct Parts {
  T* data[kMaxParts] = {};
  std::ptrdiff_t stride[kMaxParts] = {};
};

// The edges of some targets. Rows of `left` and `sums` start at the first target; `right`, `table` are whole.
template <class T>
struct EdgeBlock {
  const std::int32_t* ptr;     // [rows + 1], absolute positions in source and code
  const std::int32_t* source;
  const std::int32_t* code;
  int rows;
  int width;                   // padded
  bool single;                 // one table row only: it is already added to `left`
  const T* left;
  const T* right;
  const T* table;
};

// What the gradient of GraphNorm needs of one graph, each [width].
template <class T>
struct NormGradient {
  const T *shift, *inverse, *gain, *slope, *back;
};

template <class T>
struct RowKernels {
  // hidden: [rows][padded(mid)], kept for the backward where not null.
  void (*mlp_forward)(const Mlp<T>&, const Parts<const T>&, int rows, T* y, std::ptrdiff_t stride,
                      T* hidden);
  // hidden: as kept, or null to compute it again. gx: null data are skipped; `add` accumulates.
  void (*mlp_backward)(const Mlp<T>&, const Parts<const T>&, int rows, const T* gy,
                       std::ptrdiff_t stride, const T* hidden, const Parts<T>& gx, bool add,
                       const MlpGradient<T>&);
  void (*edge_forward)(const EdgeBlock<T>&, T* sums);
  // g: gradient of the sums; adds to g_right and (unless single) g_table, writes g_left.
  void (*edge_backward)(const EdgeBlock<T>&, const T* g, T* g_left, T* g_right, T* g_table);
  // GraphNorm, see rows.hpp.
  void (*norm_total)(const T* x, int rows, int width, T* total);
  void (*norm_squares)(const T* x, int rows, int width, const T* shift, T* total);
  void (*norm_apply)(const T* x, int rows, int width, const T* gain, const T* offset, T* y);
  void (*norm_gradient_sums)(const T* x, const T* g, int rows, int width, const T* shift,
                             const T* inverse, T* sums);
  void (*norm_gradient)(const T* x, const T* g, int rows, int width, const NormGradient<T>&, T* gx);
};

template <class T> const RowKernels<T>& row_kernels_base();
template <class T> const RowKernels<T>& row_kernels_avx2();
template <class T> const RowKernels<T>& row_kernels_avx512();

}  // namespace g2milp

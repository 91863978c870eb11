// GraphNorm of every graph of a batch:
//   mean = Σ x / n,  o = x - s·mean,  d² = Σ o² / n + ε,  y = w·o/d + b,
//   g_o = w/d · (g - o/d · Σ(g·o/d)/n),  g_x = g_o - s/n · Σ g_o.
// Some rows may stand elsewhere (`Apart`), so that replacing and picking rows copies nothing else.
#include <algorithm>
#include <cmath>
#include <vector>

#include "dispatch.hpp"
#include "drivers.hpp"
#include "parallel.hpp"

namespace g2milp {

namespace {

// Calls body(row, rows, k) for the runs of [begin, end) between the rows apart (k = -1), and for each
// of those alone, k its number.
template <class Body>
void for_runs(const RowIds& apart, int begin, int end, const Body& body) {
  const std::int64_t* last = apart.ids + apart.count;
  const std::int64_t* next = std::lower_bound(apart.ids, last, static_cast<std::int64_t>(begin));
  int row = begin;
  for (; next != last && *next < end; ++next) {
    const int id = static_cast<int>(*next);
    if (id > row) body(row, id - row, -1);
    body(id, 1, static_cast<int>(next - apart.ids));
    row = id + 1;
  }
  if (end > row) body(row, end - row, -1);
}

template <class T>
auto row_of(T* whole, T* apart, int row, int k, int width) {
  return k >= 0 && apart ? apart + static_cast<std::ptrdiff_t>(k) * width
                         : whole + static_cast<std::ptrdiff_t>(row) * width;
}

}  // namespace

template <class T>
void norm_forward(int threads, const Graphs& graphs, int width, const NormTensors<T>& t,
                  const RowIds& apart, const T* replaced, T* y, T* statistics) {
  const RowKernels<T>& run = row_kernels<T>();
  parallel_for(threads, graphs.count, [&](int i) {
    const int begin = graphs.offsets[i], end = graphs.offsets[i + 1];
    if (begin == end) return;
    const T share = T(1) / static_cast<T>(end - begin);
    std::vector<T> work(4 * static_cast<std::size_t>(width), T(0));
    T *total = work.data(), *shift = total + width, *gain = shift + width, *offset = gain + width;
    T* mean = statistics + 2 * static_cast<std::ptrdiff_t>(i) * width;
    for_runs(apart, begin, end, [&](int row, int rows, int k) {
      run.norm_total(row_of(t.x, replaced, row, k, width), rows, width, total);
    });
    for (int c = 0; c < width; ++c) {
      mean[c] = total[c] * share;
      shift[c] = mean[c] * t.mean_scale[c];
      total[c] = T(0);
    }
    for_runs(apart, begin, end, [&](int row, int rows, int k) {
      run.norm_squares(row_of(t.x, replaced, row, k, width), rows, width, shift, total);
    });
    for (int c = 0; c < width; ++c) {
      const T inverse = mean[width + c] = T(1) / std::sqrt(total[c] * share + t.eps);
      gain[c] = t.weight[c] * inverse;
      offset[c] = t.bias[c] - shift[c] * gain[c];
    }
    for_runs(apart, begin, end, [&](int row, int rows, int k) {
      run.norm_apply(row_of(t.x, replaced, row, k, width), rows, width, gain, offset,
                     y + static_cast<std::ptrdiff_t>(row) * width);
    });
  });
}

template <class T>
void norm_backward(int threads, const Graphs& graphs, int width, const NormTensors<T>& t,
                   const RowIds& apart, const T* replaced, const T* statistics, const T* gy,
                   const T* gy_apart, const NormGradients<T>& g) {
  const RowKernels<T>& run = row_kernels<T>();
  const std::size_t size = 3 * static_cast<std::size_t>(width);
  Buffer<T> partial(size * std::max(1, graphs.count), true);
  parallel_for(threads, graphs.count, [&](int i) {
    const int begin = graphs.offsets[i], end = graphs.offsets[i + 1];
    if (begin == end) return;
    const T share = T(1) / static_cast<T>(end - begin);
    std::vector<T> work(4 * static_cast<std::size_t>(width));
    T *shift = work.data(), *gain = shift + width, *slope = gain + width, *back = slope + width;
    const T *mean = statistics + 2 * static_cast<std::ptrdiff_t>(i) * width, *inverse = mean + width;
    T *sums = partial.data() + i * size, *along = sums + width, *normal = along + width;
    for (int c = 0; c < width; ++c) shift[c] = mean[c] * t.mean_scale[c];
    for_runs(apart, begin, end, [&](int row, int rows, int k) {
      run.norm_gradient_sums(row_of(t.x, replaced, row, k, width), row_of(gy, gy_apart, row, k, width),
                             rows, width, shift, inverse, sums);
    });
    for (int c = 0; c < width; ++c) {
      gain[c] = t.weight[c] * inverse[c];
      slope[c] = along[c] * share;
      const T sum = gain[c] * (sums[c] - slope[c] * normal[c]);
      back[c] = t.mean_scale[c] * sum * share;
      normal[c] = -mean[c] * sum;  // from here on: the gradient of mean_scale
    }
    const NormGradient<T> factors{shift, inverse, gain, slope, back};
    for_runs(apart, begin, end, [&](int row, int rows, int k) {
      run.norm_gradient(row_of(t.x, replaced, row, k, width), row_of(gy, gy_apart, row, k, width),
                        rows, width, factors, row_of(g.x, g.replaced, row, k, width));
      if (k >= 0 && g.replaced) std::fill_n(g.x + static_cast<std::ptrdiff_t>(row) * width, width, T(0));
    });
  });
  for (int c = 0; c < width; ++c) g.weight[c] = g.bias[c] = g.mean_scale[c] = T(0);
  for (int i = 0; i < graphs.count; ++i)
    for (int c = 0; c < width; ++c) {
      const T* sums = partial.data() + i * size;
      g.bias[c] += sums[c];
      g.weight[c] += sums[width + c];
      g.mean_scale[c] += sums[2 * width + c];
    }
}

#define G2MILP_INSTANTIATE(T)                                                                        \
  template void norm_forward<T>(int, const Graphs&, int, const NormTensors<T>&, const RowIds&,       \
                                const T*, T*, T*);                                                   \
  template void norm_backward<T>(int, const Graphs&, int, const NormTensors<T>&, const RowIds&,      \
                                 const T*, const T*, const T*, const T*, const NormGradients<T>&);
G2MILP_INSTANTIATE(float)
G2MILP_INSTANTIATE(double)

}  // namespace g2milp

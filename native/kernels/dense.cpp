// Two-layer networks over all rows of a batch.
#include <vector>

#include "dispatch.hpp"
#include "drivers.hpp"
#include "packing.hpp"
#include "parallel.hpp"

namespace g2milp {

namespace {

// The pieces of a layer's rows: graphs where each has its own first bias, else equal blocks.
struct Cut {
  const Graphs* graphs;
  Pieces pieces;
  Cut(const Graphs* g, int rows) : graphs(g), pieces(rows) {}
  int count() const { return graphs ? graphs->count : pieces.count; }
  int begin(int i) const { return graphs ? graphs->offsets[i] : pieces.begin(i); }
  int end(int i) const { return graphs ? graphs->offsets[i + 1] : pieces.end(i); }
};

template <class T>
std::vector<T> segment_biases(const MlpTensors<T>& m, const Graphs* segments) {
  if (!segments) return {};
  const int mid = padded(m.mid);
  std::vector<T> biases(static_cast<std::size_t>(segments->count) * mid, T(0));
  for (int g = 0; g < segments->count; ++g)
    std::copy_n(m.b1 + static_cast<std::ptrdiff_t>(g) * m.mid, m.mid, &biases[g * mid]);
  return biases;
}

template <class T, class U>
Parts<T> rows_from(const std::vector<U*>& data, const std::vector<int>& widths, int row) {
  Parts<T> parts;
  for (std::size_t p = 0; p < data.size(); ++p) {
    parts.data[p] = data[p] ? data[p] + static_cast<std::ptrdiff_t>(row) * widths[p] : nullptr;
    parts.stride[p] = widths[p];
  }
  return parts;
}

}  // namespace

template <class T>
void mlp_forward(int threads, int rows, const MlpTensors<T>& m, const std::vector<const T*>& x,
                 const Graphs* segments, T* y) {
  const PackedMlp<T> packed(m, false);
  const std::vector<T> biases = segment_biases(m, segments);
  const Cut cut(segments, rows);
  parallel_for(threads, cut.count(), [&](int i) {
    Mlp<T> view = packed.view;
    if (segments) view.b1 = &biases[static_cast<std::size_t>(i) * padded(m.mid)];
    for (int row = cut.begin(i); row < cut.end(i); row += kRows)
      row_kernels<T>().mlp_forward(view, rows_from<const T>(x, m.widths, row),
                                   std::min(kRows, cut.end(i) - row),
                                   y + static_cast<std::ptrdiff_t>(row) * m.out, m.out, nullptr);
  });
}

template <class T>
void mlp_backward(int threads, int rows, const MlpTensors<T>& m, const std::vector<const T*>& x,
                  const Graphs* segments, const T* gy, const std::vector<T*>& gx,
                  const MlpGradients<T>& gw) {
  const PackedMlp<T> packed(m, true);
  const PackedGradient<T> layout(m);
  const std::vector<T> biases = segment_biases(m, segments);
  const Cut cut(segments, rows);
  const std::size_t size = layout.size;
  Buffer<T> partial(size * std::max(1, cut.count()), true);
  parallel_for(threads, cut.count(), [&](int i) {
    Mlp<T> view = packed.view;
    if (segments) view.b1 = &biases[static_cast<std::size_t>(i) * padded(m.mid)];
    for (int row = cut.begin(i); row < cut.end(i); row += kRows)
      row_kernels<T>().mlp_backward(view, rows_from<const T>(x, m.widths, row),
                                    std::min(kRows, cut.end(i) - row),
                                    gy + static_cast<std::ptrdiff_t>(row) * m.out, m.out, nullptr,
                                    rows_from<T>(gx, m.widths, row), false,
                                    layout.at(partial.data() + i * size));
  });
  if (segments)
    for (int i = 0; i < cut.count(); ++i)
      std::copy_n(partial.data() + i * size + layout.b1, m.mid,
                  gw.b1 + static_cast<std::ptrdiff_t>(i) * m.mid);
  for (int i = 1; i < cut.count(); ++i)
    for (std::size_t k = 0; k < size; ++k) partial.data()[k] += partial.data()[i * size + k];
  layout.unpack(partial.data(), m, gw, segments == nullptr);
}

#define G2MILP_INSTANTIATE(T)                                                                      \
  template void mlp_forward<T>(int, int, const MlpTensors<T>&, const std::vector<const T*>&,       \
                               const Graphs*, T*);                                                 \
  template void mlp_backward<T>(int, int, const MlpTensors<T>&, const std::vector<const T*>&,      \
                                const Graphs*, const T*, const std::vector<T*>&,                   \
                                const MlpGradients<T>&);
G2MILP_INSTANTIATE(float)
G2MILP_INSTANTIATE(double)

}  // namespace g2milp

// Weights between torch's layout ([out][in]) and the packed, padded one of the row kernels.
#pragma once

#include <algorithm>
#include <vector>

#include "drivers.hpp"

namespace g2milp {

// Offsets of one layer's packed gradients within a buffer of `size` numbers.
template <class T>
struct PackedGradient {
  int size = 0;
  int w1[kMaxParts] = {}, b1 = 0, w2 = 0, b2 = 0;

  explicit PackedGradient(const MlpTensors<T>& m) {
    for (std::size_t p = 0; p < m.widths.size(); ++p) w1[p] = take(m.widths[p] * padded(m.mid));
    b1 = take(padded(m.mid));
    w2 = take(m.w2 ? m.mid * padded(m.out) : 0);
    b2 = take(m.w2 ? padded(m.out) : 0);
  }

  MlpGradient<T> at(T* base) const {
    MlpGradient<T> view;
    for (int p = 0; p < kMaxParts; ++p) view.w1[p] = base + w1[p];
    view.b1 = base + b1;
    view.w2 = base + w2;
    view.b2 = base + b2;
    return view;
  }

  // Writes a summed buffer into torch's tensors; `bias` says whether b1 is this layer's only bias.
  void unpack(const T* base, const MlpTensors<T>& m, const MlpGradients<T>& to, bool bias) const {
    const int mid = padded(m.mid), out = padded(m.out);
    int total = 0, begin = 0;
    for (int width : m.widths) total += width;
    for (std::size_t p = 0; p < m.widths.size(); ++p) {
      for (int k = 0; k < m.widths[p]; ++k)
        for (int j = 0; j < m.mid; ++j) to.w1[j * total + begin + k] = base[w1[p] + k * mid + j];
      begin += m.widths[p];
    }
    if (bias) std::copy_n(base + b1, m.mid, to.b1);
    if (!m.w2) return;
    for (int j = 0; j < m.mid; ++j)
      for (int o = 0; o < m.out; ++o) to.w2[o * m.mid + j] = base[w2 + j * out + o];
    std::copy_n(base + b2, m.out, to.b2);
  }

 private:
  int take(int count) {
    const int begin = size;
    size += (count + kPad - 1) / kPad * kPad;
    return begin;
  }
};

// Owns the packed weights that `view` points into.
template <class T>
struct PackedMlp {
  Mlp<T> view;

  PackedMlp(const MlpTensors<T>& m, bool backward) {
    const int mid = padded(m.mid), out = padded(m.out);
    view.parts = static_cast<int>(m.widths.size());
    view.mid = m.mid;
    view.out = m.out;
    view.linear = m.w2 == nullptr;
    int total = 0, begin = 0;
    for (int width : m.widths) total += width;
    for (int p = 0; p < view.parts; ++p) {
      const int width = view.width[p] = m.widths[p];
      T* w = make(width * mid);
      T* t = backward ? make(m.mid * padded(width)) : nullptr;
      for (int j = 0; j < m.mid; ++j)
        for (int k = 0; k < width; ++k) {
          const T value = m.w1[j * total + begin + k];
          w[k * mid + j] = value;
          if (t) t[j * padded(width) + k] = value;
        }
      view.w1[p] = w;
      view.w1_t[p] = t;
      begin += width;
    }
    T* b1 = make(mid);
    std::copy_n(m.b1, m.mid, b1);
    view.b1 = b1;
    if (view.linear) return;
    T* w2 = make(m.mid * out);
    T* w2_t = make(m.out * mid);
    for (int o = 0; o < m.out; ++o)
      for (int j = 0; j < m.mid; ++j) w2[j * out + o] = w2_t[o * mid + j] = m.w2[o * m.mid + j];
    T* b2 = make(out);
    std::copy_n(m.b2, m.out, b2);
    view.w2 = w2;
    view.w2_t = w2_t;
    view.b2 = b2;
  }

 private:
  std::vector<std::vector<T>> store_;
  T* make(int count) { return store_.emplace_back(count, T(0)).data(); }
};

}  // namespace g2milp

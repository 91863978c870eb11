// GraphNorm: sums over some rows of a graph, and its application to them; part of rows.hpp.
// width is a multiple of kPad; all sums are added to their targets.

namespace g2milp::G2MILP_ISA {

template <class T>
void norm_total(const T* x, int rows, int width, T* total) {
  column_sums(x, width, width, rows, total);
}

template <class T>
void norm_squares(const T* x, int rows, int width, const T* shift, T* total) {
  using S = Simd<T>;
  for (int c = 0; c < width; c += S::lanes) {
    const typename S::vec centre = S::load(shift + c);
    typename S::vec squares[4] = {};
    int r = 0;
    for (; r + 4 <= rows; r += 4)
      for (int k = 0; k < 4; ++k) {
        const typename S::vec centred = S::load(x + static_cast<std::ptrdiff_t>(r + k) * width + c) - centre;
        squares[k] += centred * centred;
      }
    for (; r < rows; ++r) {
      const typename S::vec centred = S::load(x + static_cast<std::ptrdiff_t>(r) * width + c) - centre;
      squares[0] += centred * centred;
    }
    S::store(total + c, S::load(total + c) + ((squares[0] + squares[1]) + (squares[2] + squares[3])));
  }
}

template <class T>
void norm_apply(const T* x, int rows, int width, const T* gain, const T* offset, T* y) {
  using S = Simd<T>;
  for (int c = 0; c < width; c += S::lanes) {
    const typename S::vec by = S::load(gain + c), plus = S::load(offset + c);
    for (int r = 0; r < rows; ++r) {
      const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(r) * width + c;
      S::store(y + at, S::load(x + at) * by + plus);
    }
  }
}

// With n = (x - shift) · inverse: sums of g, g·n and n, each [width], one after the other.
template <class T>
void norm_gradient_sums(const T* x, const T* g, int rows, int width, const T* shift,
                        const T* inverse, T* sums) {
  using S = Simd<T>;
  for (int c = 0; c < width; c += S::lanes) {
    const typename S::vec centre = S::load(shift + c), by = S::load(inverse + c);
    typename S::vec plain[2] = {}, along[2] = {}, normal_sum[2] = {};
    for (int r = 0; r < rows; ++r) {
      const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(r) * width + c;
      const typename S::vec slope = S::load(g + at), normal = (S::load(x + at) - centre) * by;
      plain[r & 1] += slope;
      along[r & 1] += slope * normal;
      normal_sum[r & 1] += normal;
    }
    S::store(sums + c, S::load(sums + c) + (plain[0] + plain[1]));
    S::store(sums + width + c, S::load(sums + width + c) + (along[0] + along[1]));
    S::store(sums + 2 * width + c, S::load(sums + 2 * width + c) + (normal_sum[0] + normal_sum[1]));
  }
}

// gx = gain · (g - n · slope) - back
template <class T>
void norm_gradient(const T* x, const T* g, int rows, int width, const NormGradient<T>& f, T* gx) {
  using S = Simd<T>;
  for (int c = 0; c < width; c += S::lanes) {
    const typename S::vec centre = S::load(f.shift + c), by = S::load(f.inverse + c);
    const typename S::vec gain = S::load(f.gain + c), slope = S::load(f.slope + c), back = S::load(f.back + c);
    for (int r = 0; r < rows; ++r) {
      const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(r) * width + c;
      const typename S::vec normal = (S::load(x + at) - centre) * by;
      S::store(gx + at, gain * (S::load(g + at) - normal * slope) - back);
    }
  }
}

}  // namespace g2milp::G2MILP_ISA

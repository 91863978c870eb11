// Two-layer networks on blocks of rows; part of rows.hpp.

namespace g2milp::G2MILP_ISA {

constexpr int kInner = 64;  // widest (padded) layer whose block lives on the stack

// ---- dense ------------------------------------------------------------------------------------

// R rows times V vectors of y (+)= x w, x: [R][depth], w: [depth][...]; begins with `init` or with y.
template <class T, int R, int V, bool Relu>
G2MILP_INLINE void tile(const T* x, std::ptrdiff_t xs, int depth, const T* w, std::ptrdiff_t ws,
                        T* y, std::ptrdiff_t ys, const T* init) {
  using S = Simd<T>;
  typename S::vec sum[R][V];
  for (int r = 0; r < R; ++r)
    for (int v = 0; v < V; ++v)
      sum[r][v] = init ? S::load(init + v * S::lanes) : S::load(y + r * ys + v * S::lanes);
  for (int k = 0; k < depth; ++k) {
    typename S::vec row[V];
    for (int v = 0; v < V; ++v) row[v] = S::load(w + k * ws + v * S::lanes);
    for (int r = 0; r < R; ++r)
      for (int v = 0; v < V; ++v) sum[r][v] += x[r * xs + k] * row[v];
  }
  for (int r = 0; r < R; ++r)
    for (int v = 0; v < V; ++v)
      S::store(y + r * ys + v * S::lanes, Relu ? S::relu(sum[r][v]) : sum[r][v]);
}

template <class T, int V, bool Relu>
void product_columns(const T* x, std::ptrdiff_t xs, int depth, const T* w, std::ptrdiff_t ws, T* y,
                     std::ptrdiff_t ys, const T* init, int rows) {
  constexpr int R = V == 1 ? 2 * G2MILP_TILE_ROWS : G2MILP_TILE_ROWS;
  int r = 0;
  for (; r + R <= rows; r += R)
    tile<T, R, V, Relu>(x + r * xs, xs, depth, w, ws, y + r * ys, ys, init);
  for (; r < rows; ++r)
    tile<T, 1, V, Relu>(x + r * xs, xs, depth, w, ws, y + r * ys, ys, init);
}

// y = init + x w (init null: y += x w); `width` is padded.
template <class T, bool Relu>
void product(const T* x, std::ptrdiff_t xs, int depth, const T* w, int width, T* y,
             std::ptrdiff_t ys, const T* init, int rows) {
  constexpr int lanes = Simd<T>::lanes;
  int c = 0;
  for (; c + 2 * lanes <= width; c += 2 * lanes)
    product_columns<T, 2, Relu>(x, xs, depth, w + c, width, y + c, ys, init ? init + c : nullptr, rows);
  for (; c < width; c += lanes)
    product_columns<T, 1, Relu>(x, xs, depth, w + c, width, y + c, ys, init ? init + c : nullptr, rows);
}

template <class T, int K>
G2MILP_INLINE void outer_tile(const T* x, std::ptrdiff_t xs, const T* g, std::ptrdiff_t gs, int rows,
                              T* w, std::ptrdiff_t ws) {
  using S = Simd<T>;
  typename S::vec sum[K];
  for (int k = 0; k < K; ++k) sum[k] = S::load(w + k * ws);
  for (int r = 0; r < rows; ++r) {
    const typename S::vec row = S::load(g + r * gs);
    for (int k = 0; k < K; ++k) sum[k] += x[r * xs + k] * row;
  }
  for (int k = 0; k < K; ++k) S::store(w + k * ws, sum[k]);
}

// w += xᵀ g; `width` of g is padded.
template <class T>
void outer(const T* x, std::ptrdiff_t xs, int depth, const T* g, std::ptrdiff_t gs, int width,
           int rows, T* w) {
  constexpr int lanes = Simd<T>::lanes;
  for (int c = 0; c < width; c += lanes) {
    int k = 0;
    for (; k + G2MILP_OUTER_TILE <= depth; k += G2MILP_OUTER_TILE)
      outer_tile<T, G2MILP_OUTER_TILE>(x + k, xs, g + c, gs, rows, w + k * width + c, width);
    for (; k + 4 <= depth; k += 4)
      outer_tile<T, 4>(x + k, xs, g + c, gs, rows, w + k * width + c, width);
    for (; k < depth; ++k) outer_tile<T, 1>(x + k, xs, g + c, gs, rows, w + k * width + c, width);
  }
}

// total += the sum of the rows of g.
template <class T>
void column_sums(const T* g, std::ptrdiff_t gs, int width, int rows, T* total) {
  using S = Simd<T>;
  for (int c = 0; c < width; c += S::lanes) {
    typename S::vec a{}, b{}, d{}, e{};
    int r = 0;
    for (; r + 4 <= rows; r += 4) {
      a += S::load(g + r * gs + c);
      b += S::load(g + (r + 1) * gs + c);
      d += S::load(g + (r + 2) * gs + c);
      e += S::load(g + (r + 3) * gs + c);
    }
    for (; r < rows; ++r) a += S::load(g + r * gs + c);
    S::store(total + c, S::load(total + c) + ((a + b) + (d + e)));
  }
}

template <class T>
void hidden_rows(const Mlp<T>& m, const Parts<const T>& x, int rows, T* hidden) {
  const int width = padded(m.mid);
  for (int p = 0; p < m.parts; ++p) {
    const T* init = p == 0 ? m.b1 : nullptr;
    if (p + 1 == m.parts && !m.linear)
      product<T, true>(x.data[p], x.stride[p], m.width[p], m.w1[p], width, hidden, width, init, rows);
    else
      product<T, false>(x.data[p], x.stride[p], m.width[p], m.w1[p], width, hidden, width, init, rows);
  }
}

template <class T>
void zero_rows(T* data, int count) {
  for (int i = 0; i < count; ++i) data[i] = T(0);
}

// y = x w.
template <class T>
void product_alone(const T* x, std::ptrdiff_t xs, int depth, const T* w, int width, T* y,
                   std::ptrdiff_t ys, int rows) {
  alignas(64) static constexpr T zeros[kInner] = {};
  if (width > kInner)
    for (int r = 0; r < rows; ++r) zero_rows(y + r * ys, width);
  product<T, false>(x, xs, depth, w, width, y, ys, width > kInner ? nullptr : zeros, rows);
}

// Buffers of one block of rows; wide layers fall back to the heap.
template <class T>
struct Block {
  alignas(64) T stack[kRows * kInner];
  T* heap = nullptr;
  T* data;
  explicit Block(int width) : data(stack) {
    if (width > kInner) data = heap = new T[static_cast<std::size_t>(kRows) * width];
  }
  ~Block() { delete[] heap; }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
};

template <class T>
void copy_rows(const T* from, std::ptrdiff_t fs, T* to, std::ptrdiff_t ts, int width, int rows) {
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < width; ++c) to[r * ts + c] = from[r * fs + c];
}

template <class T>
void mlp_forward(const Mlp<T>& m, const Parts<const T>& x, int rows, T* y, std::ptrdiff_t stride,
                 T* kept) {
  const int mid = padded(m.mid), out = padded(m.out);
  Block<T> own(kept ? 0 : mid);
  T* hidden = kept ? kept : own.data;
  hidden_rows(m, x, rows, hidden);
  if (m.linear) {
    copy_rows(hidden, mid, y, stride, m.out, rows);
  } else if (stride >= out && m.out == out) {
    product<T, false>(hidden, mid, m.mid, m.w2, out, y, stride, m.b2, rows);
  } else {
    Block<T> result(out);
    product<T, false>(hidden, mid, m.mid, m.w2, out, result.data, out, m.b2, rows);
    copy_rows(result.data, out, y, stride, m.out, rows);
  }
}

template <class T>
void input_gradients(const Mlp<T>& m, const T* g, std::ptrdiff_t gs, int rows, const Parts<T>& gx,
                     bool add) {
  for (int p = 0; p < m.parts; ++p) {
    if (!gx.data[p]) continue;
    const int width = m.width[p], wide = padded(width);
    if (width == wide && add) {
      product<T, false>(g, gs, m.mid, m.w1_t[p], wide, gx.data[p], gx.stride[p], nullptr, rows);
      continue;
    }
    if (width == wide) {
      product_alone(g, gs, m.mid, m.w1_t[p], wide, gx.data[p], gx.stride[p], rows);
      continue;
    }
    Block<T> result(wide);
    product_alone(g, gs, m.mid, m.w1_t[p], wide, result.data, wide, rows);
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < width; ++c) {
        T& to = gx.data[p][r * gx.stride[p] + c];
        to = add ? to + result.data[r * wide + c] : result.data[r * wide + c];
      }
  }
}

template <class T>
void mlp_backward(const Mlp<T>& m, const Parts<const T>& x, int rows, const T* gy,
                  std::ptrdiff_t stride, const T* kept, const Parts<T>& gx, bool add,
                  const MlpGradient<T>& gw) {
  using S = Simd<T>;
  const int mid = padded(m.mid), out = padded(m.out);
  Block<T> spread(m.out != out ? out : 0), own(kept || m.linear ? 0 : mid), g_hidden(mid);
  const T* g = gy;
  std::ptrdiff_t gs = stride;
  if (m.out != out) {
    zero_rows(spread.data, out * rows);
    copy_rows(gy, stride, spread.data, out, m.out, rows);
    g = spread.data;
    gs = out;
  }
  if (!m.linear) {
    if (!kept) hidden_rows(m, x, rows, own.data);
    const T* hidden = kept ? kept : own.data;
    outer(hidden, mid, m.mid, g, gs, out, rows, gw.w2);
    column_sums(g, gs, out, rows, gw.b2);
    // g_hidden = (g W2ᵀ) where the hidden unit is active
    product_alone(g, gs, m.out, m.w2_t, mid, g_hidden.data, mid, rows);
    for (int i = 0; i < rows * mid; i += S::lanes) {
      const typename S::vec active = S::load(hidden + i), value = S::load(g_hidden.data + i);
      S::store(g_hidden.data + i, active > typename S::vec{} ? value : typename S::vec{});
    }
    g = g_hidden.data;
    gs = mid;
  }
  for (int p = 0; p < m.parts; ++p)
    outer(x.data[p], x.stride[p], m.width[p], g, gs, mid, rows, gw.w1[p]);
  column_sums(g, gs, mid, rows, gw.b1);
  input_gradients(m, g, gs, rows, gx, add);
}

}  // namespace g2milp::G2MILP_ISA

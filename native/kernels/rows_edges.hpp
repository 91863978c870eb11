// Messages over the edges of a block of targets; part of rows.hpp.

namespace g2milp::G2MILP_ISA {

template <class T, int V, bool Single>
void edge_forward_columns(const EdgeBlock<T>& b, T* sums, int column) {
  using S = Simd<T>;
  for (int i = 0; i < b.rows; ++i) {
    typename S::vec own[V], sum[V];
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(i) * b.width + column;
    for (int v = 0; v < V; ++v) {
      own[v] = S::load(b.left + at + v * S::lanes);
      sum[v] = typename S::vec{};
    }
    for (std::int32_t e = b.ptr[i]; e < b.ptr[i + 1]; ++e) {
      const T* other = b.right + static_cast<std::ptrdiff_t>(b.source[e]) * b.width + column;
      const T* entry = Single ? nullptr : b.table + static_cast<std::ptrdiff_t>(b.code[e]) * b.width + column;
      for (int v = 0; v < V; ++v) {
        typename S::vec value = own[v];
        if constexpr (!Single) value += S::load(entry + v * S::lanes);
        value += S::load(other + v * S::lanes);
        sum[v] += S::relu(value);
      }
    }
    for (int v = 0; v < V; ++v) S::store(sums + at + v * S::lanes, sum[v]);
  }
}

template <class T, int V, bool Single>
void edge_backward_columns(const EdgeBlock<T>& b, const T* g, T* g_left, T* g_right, T* g_table,
                           int column) {
  using S = Simd<T>;
  for (int i = 0; i < b.rows; ++i) {
    typename S::vec own[V], slope[V], total[V];
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(i) * b.width + column;
    for (int v = 0; v < V; ++v) {
      own[v] = S::load(b.left + at + v * S::lanes);
      slope[v] = S::load(g + at + v * S::lanes);
      total[v] = typename S::vec{};
    }
    for (std::int32_t e = b.ptr[i]; e < b.ptr[i + 1]; ++e) {
      const std::ptrdiff_t other = static_cast<std::ptrdiff_t>(b.source[e]) * b.width + column;
      const std::ptrdiff_t entry = Single ? 0 : static_cast<std::ptrdiff_t>(b.code[e]) * b.width + column;
      for (int v = 0; v < V; ++v) {
        const int o = v * S::lanes;
        typename S::vec value = own[v];
        if constexpr (!Single) value += S::load(b.table + entry + o);
        value += S::load(b.right + other + o);
        const typename S::vec passed = value > typename S::vec{} ? slope[v] : typename S::vec{};
        total[v] += passed;
        S::store(g_right + other + o, S::load(g_right + other + o) + passed);
        if constexpr (!Single) S::store(g_table + entry + o, S::load(g_table + entry + o) + passed);
      }
    }
    for (int v = 0; v < V; ++v) S::store(g_left + at + v * S::lanes, total[v]);
  }
}

template <class T, bool Single>
void edge_forward_all(const EdgeBlock<T>& b, T* sums) {
  constexpr int lanes = Simd<T>::lanes;
  int c = 0;
  for (; c + 4 * lanes <= b.width; c += 4 * lanes) edge_forward_columns<T, 4, Single>(b, sums, c);
  for (; c + 2 * lanes <= b.width; c += 2 * lanes) edge_forward_columns<T, 2, Single>(b, sums, c);
  for (; c < b.width; c += lanes) edge_forward_columns<T, 1, Single>(b, sums, c);
}

template <class T>
void edge_forward(const EdgeBlock<T>& b, T* sums) {
  b.single ? edge_forward_all<T, true>(b, sums) : edge_forward_all<T, false>(b, sums);
}

template <class T, bool Single>
void edge_backward_all(const EdgeBlock<T>& b, const T* g, T* g_left, T* g_right, T* g_table) {
  constexpr int lanes = Simd<T>::lanes;
  int c = 0;
  for (; c + 2 * lanes <= b.width; c += 2 * lanes)
    edge_backward_columns<T, 2, Single>(b, g, g_left, g_right, g_table, c);
  for (; c < b.width; c += lanes)
    edge_backward_columns<T, 1, Single>(b, g, g_left, g_right, g_table, c);
}

template <class T>
void edge_backward(const EdgeBlock<T>& b, const T* g, T* g_left, T* g_right, T* g_table) {
  b.single ? edge_backward_all<T, true>(b, g, g_left, g_right, g_table)
           : edge_backward_all<T, false>(b, g, g_left, g_right, g_table);
}

}  // namespace g2milp::G2MILP_ISA

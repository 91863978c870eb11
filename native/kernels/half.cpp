// One half-convolution, forward and backward, block of rows by block of rows:
//   S_i = Σ_{j ∈ N(i)} relu(left(h_i) + table_{code(i,j)} + right(h_j)),   y_i = out([S_i, h_i, deg_i]).
// Only right(h) of all sources and, on request, the sums are held; everything else lives in the cache and is
// computed again in the backward, which is cheaper than writing it to memory and reading it back.
#include <vector>

#include "dispatch.hpp"
#include "drivers.hpp"
#include "packing.hpp"
#include "parallel.hpp"

namespace g2milp {

namespace {

constexpr int kUnits = 16;                      // pieces of work that few large graphs are cut into
constexpr std::size_t kTableBudget = 1u << 22;  // numbers in the partial gradients of the table

struct Unit {
  int graph, part;  // parts after the first have a source gradient of their own
  int begin, end;   // targets
};

// Few graphs are cut into parts, so that every thread has work; how depends on the data only.
int parts_of(const Graphs& targets, int graph) {
  const int rows = targets.offsets[graph + 1] - targets.offsets[graph];
  const int wanted = (kUnits + targets.count - 1) / targets.count;
  return std::max(1, std::min(wanted, rows / 256));
}

std::vector<Unit> units_of(const Graphs& targets) {
  std::vector<Unit> units;
  for (int g = 0; g < targets.count; ++g) {
    const std::int64_t begin = targets.offsets[g], rows = targets.offsets[g + 1] - begin;
    const int parts = parts_of(targets, g);
    for (int k = 0; k < parts; ++k)
      units.push_back({g, k, static_cast<int>(begin + rows * k / parts),
                       static_cast<int>(begin + rows * (k + 1) / parts)});
  }
  return units;
}

// What forward and backward prepare alike.
template <class T>
struct Prepared {
  const HalfConvolution<T>& c;
  const int width, wide;  // of the messages: as given, padded
  const int in_target, in_source;
  const bool single;
  std::vector<T> shifted, wide_table;
  PackedMlp<T> left, right, out;
  const T* table;

  Prepared(const HalfConvolution<T>& call, bool backward)
      : c(call),
        width(c.width),
        wide(padded(c.width)),
        in_target(c.left.widths[0]),
        in_source(c.right.widths[0]),
        single(c.table_rows == 1),
        left(with_single_entry(), backward),
        right(c.right, backward),
        out(c.out, backward),
        table(c.table) {
    if (wide != width && !single) {
      wide_table.assign(static_cast<std::size_t>(c.table_rows) * wide, T(0));
      for (int d = 0; d < c.table_rows; ++d)
        std::copy_n(c.table + static_cast<std::ptrdiff_t>(d) * width, width,
                    &wide_table[static_cast<std::size_t>(d) * wide]);
      table = wide_table.data();
    }
  }

  // A table of one row is a constant: it joins the last bias of `left`.
  MlpTensors<T> with_single_entry() {
    MlpTensors<T> m = c.left;
    if (!single) return m;
    const T*& bias = m.w2 ? m.b2 : m.b1;
    shifted.assign(bias, bias + width);
    for (int k = 0; k < width; ++k) shifted[k] += c.table[k];
    bias = shifted.data();
    return m;
  }

  // right(h) of the sources [begin, end); row j goes to to[j * wide].
  void fill_sources(int begin, int end, T* to) const {
    for (int row = begin; row < end; row += kRows)
      row_kernels<T>().mlp_forward(right.view, source_rows(row), std::min(kRows, end - row),
                                   to + static_cast<std::ptrdiff_t>(row) * wide, wide, nullptr);
  }

  Parts<const T> target_rows(int row) const {
    Parts<const T> x;
    x.data[0] = c.h_target + static_cast<std::ptrdiff_t>(row) * in_target;
    x.stride[0] = in_target;
    return x;
  }

  Parts<const T> source_rows(int row) const {
    Parts<const T> x;
    x.data[0] = c.h_source + static_cast<std::ptrdiff_t>(row) * in_source;
    x.stride[0] = in_source;
    return x;
  }

  EdgeBlock<T> block(int row, int rows, const T* left_rows, const T* right_rows) const {
    return {c.ptr + row, c.source, c.code, rows, wide, single, left_rows, right_rows, table};
  }

  // Inputs of `out`: the sums, the targets themselves and their degrees.
  Parts<const T> out_rows(int row, int rows, const T* sums, T* degrees) const {
    for (int r = 0; r < rows; ++r)
      degrees[r] = static_cast<T>(c.ptr[row + r + 1] - c.ptr[row + r]);
    Parts<const T> x = target_rows(row);
    x.data[1] = x.data[0];
    x.stride[1] = x.stride[0];
    x.data[0] = sums;
    x.stride[0] = wide;
    x.data[2] = degrees;
    x.stride[2] = 1;
    return x;
  }
};

template <class T>
void add_rows(T* total, const T* more, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) total[k] += more[k];
}

// Scratch of one block of target rows.
template <class T>
struct Scratch {
  Buffer<T> all;
  T *left, *left_hidden, *sums, *g_sums, *g_left, *degrees;
  explicit Scratch(const Prepared<T>& p)
      : all(static_cast<std::size_t>(kRows) * (4 * p.wide + padded(p.c.left.mid) + 1), true) {
    const std::size_t area = static_cast<std::size_t>(kRows) * p.wide;
    left = all.data();
    sums = left + area;
    g_sums = sums + area;
    g_left = g_sums + area;
    degrees = g_left + area;
    left_hidden = degrees + kRows;
  }
};

template <class T>
void forward_unit(const Prepared<T>& p, const Unit& unit, const T* sources, T* sums, T* y,
                  const Scratch<T>& s) {
  const RowKernels<T>& run = row_kernels<T>();
  for (int row = unit.begin; row < unit.end; row += kRows) {
    const int rows = std::min(kRows, unit.end - row);
    run.mlp_forward(p.left.view, p.target_rows(row), rows, s.left, p.wide, nullptr);
    T* to = sums ? sums + static_cast<std::ptrdiff_t>(row) * p.wide : s.sums;
    run.edge_forward(p.block(row, rows, s.left, sources), to);
    run.mlp_forward(p.out.view, p.out_rows(row, rows, to, s.degrees), rows,
                    y + static_cast<std::ptrdiff_t>(row) * p.c.out.out, p.c.out.out, nullptr);
  }
}

// Where one unit's gradients go: h_target is written, all others are added to.
template <class T>
struct UnitGradients {
  T *h_target, *sources, *table;
  MlpGradient<T> left, out;
};

template <class T>
void backward_unit(const Prepared<T>& p, const Unit& unit, const T* sources, const T* saved,
                   const T* gy, const UnitGradients<T>& g, const Scratch<T>& s) {
  const RowKernels<T>& run = row_kernels<T>();
  const int n_out = p.c.out.out;
  for (int row = unit.begin; row < unit.end; row += kRows) {
    const int rows = std::min(kRows, unit.end - row);
    const std::ptrdiff_t at = row;
    run.mlp_forward(p.left.view, p.target_rows(row), rows, s.left, p.wide, s.left_hidden);
    const EdgeBlock<T> edges = p.block(row, rows, s.left, sources);
    const T* sums = saved ? saved + at * p.wide : s.sums;
    if (!saved) run.edge_forward(edges, s.sums);
    Parts<T> gx;
    gx.data[0] = s.g_sums;
    gx.stride[0] = p.wide;
    gx.data[1] = g.h_target + at * p.in_target;
    gx.stride[1] = p.in_target;
    run.mlp_backward(p.out.view, p.out_rows(row, rows, sums, s.degrees), rows, gy + at * n_out,
                     n_out, nullptr, gx, false, g.out);
    run.edge_backward(edges, s.g_sums, s.g_left, g.sources, g.table);
    Parts<T> gh;
    gh.data[0] = gx.data[1];
    gh.stride[0] = gx.stride[1];
    run.mlp_backward(p.left.view, p.target_rows(row), rows, s.g_left, p.wide, s.left_hidden, gh,
                     true, g.left);
  }
}

// The sources' part: g_rows is the gradient of right(h), row j at g_rows[j * wide].
template <class T>
void backward_sources(const Prepared<T>& p, int begin, int end, const T* g_rows, T* g_source,
                      const MlpGradient<T>& gw) {
  for (int row = begin; row < end; row += kRows) {
    const std::ptrdiff_t at = row;
    Parts<T> gx;
    gx.data[0] = g_source + at * p.in_source;
    gx.stride[0] = p.in_source;
    row_kernels<T>().mlp_backward(p.right.view, p.source_rows(row), std::min(kRows, end - row),
                                  g_rows + at * p.wide, p.wide, nullptr, gx, false, gw);
  }
}

// Rows [begin, end) of an array that is addressed as if it were whole.
template <class T>
struct Window {
  Buffer<T> rows;
  T* whole;
  Window(int begin, int end, int wide, bool zero)
      : rows(static_cast<std::size_t>(end - begin) * wide, zero),
        whole(rows.data() - static_cast<std::ptrdiff_t>(begin) * wide) {}
};

}  // namespace

// Many graphs: each is worked through from sources to result while it is in the cache. Few graphs:
// first all sources, then all parts of the targets.
template <class T>
void half_forward(int threads, const HalfConvolution<T>& c, T* sums, T* y) {
  const Prepared<T> p(c, false);
  const std::vector<Unit> units = units_of(c.targets);
  const bool ragged = p.wide != p.width;
  if (c.targets.count >= kUnits) {
    parallel_for(threads, static_cast<int>(units.size()), [&](int u) {
      const int begin = c.sources.offsets[units[u].graph], end = c.sources.offsets[units[u].graph + 1];
      const Window<T> sources(begin, end, p.wide, ragged);
      p.fill_sources(begin, end, sources.whole);
      forward_unit(p, units[u], sources.whole, sums, y, Scratch<T>(p));
    });
    return;
  }
  const Pieces pieces(c.sources.offsets[c.sources.count]);
  const Window<T> sources(0, pieces.rows, p.wide, ragged);
  parallel_for(threads, pieces.count,
               [&](int i) { p.fill_sources(pieces.begin(i), pieces.end(i), sources.whole); });
  parallel_for(threads, static_cast<int>(units.size()),
               [&](int u) { forward_unit(p, units[u], sources.whole, sums, y, Scratch<T>(p)); });
}

template <class T>
void half_backward(int threads, const HalfConvolution<T>& c, const T* sums, const T* gy,
                   const HalfGradients<T>& g) {
  const Prepared<T> p(c, true);
  const std::vector<Unit> units = units_of(c.targets);
  const int wide = p.wide, n_units = static_cast<int>(units.size());
  const bool by_graph = c.targets.count >= kUnits, ragged = wide != p.width;
  const Pieces pieces(c.sources.offsets[c.sources.count]);
  const int n_pieces = by_graph ? n_units : pieces.count;

  const PackedGradient<T> left(c.left), right(c.right), out(c.out);
  const std::size_t right_size = right.size, unit_size = static_cast<std::size_t>(left.size) + out.size;
  Buffer<T> unit_partial(unit_size * std::max(1, n_units), true);
  Buffer<T> right_partial(right_size * std::max(1, n_pieces), true);
  const std::size_t table_size = p.single ? 0 : static_cast<std::size_t>(c.table_rows) * wide;
  const int groups = std::max(
      1, static_cast<int>(std::min<std::size_t>(n_units, kTableBudget / std::max<std::size_t>(1, table_size))));
  Buffer<T> g_table(table_size * groups, true);

  const auto unit_gradients = [&](int u, int group, T* g_sources) {
    T* base = unit_partial.data() + u * unit_size;
    return UnitGradients<T>{g.h_target, g_sources, g_table.data() + group * table_size,
                            left.at(base), out.at(base + left.size)};
  };
  // Units that share a table gradient run in order in one thread.
  const auto by_groups = [&](const auto& body) {
    parallel_for(threads, groups, [&](int group) {
      const std::int64_t n = n_units;
      for (int u = static_cast<int>(n * group / groups); u < static_cast<int>(n * (group + 1) / groups); ++u)
        body(u, group);
    });
  };

  if (by_graph) {
    by_groups([&](int u, int group) {
      const int begin = c.sources.offsets[units[u].graph], end = c.sources.offsets[units[u].graph + 1];
      const Window<T> sources(begin, end, wide, ragged), g_sources(begin, end, wide, true);
      p.fill_sources(begin, end, sources.whole);
      backward_unit(p, units[u], sources.whole, sums, gy, unit_gradients(u, group, g_sources.whole),
                    Scratch<T>(p));
      backward_sources(p, begin, end, g_sources.whole, g.h_source,
                       right.at(right_partial.data() + u * right_size));
    });
  } else {
    int most_parts = 1;
    for (const Unit& unit : units) most_parts = std::max(most_parts, unit.part + 1);
    const std::size_t source_size = static_cast<std::size_t>(pieces.rows) * wide;
    const Window<T> sources(0, pieces.rows, wide, ragged);
    Buffer<T> g_sources(source_size * most_parts, true);
    parallel_for(threads, pieces.count,
                 [&](int i) { p.fill_sources(pieces.begin(i), pieces.end(i), sources.whole); });
    by_groups([&](int u, int group) {
      backward_unit(p, units[u], sources.whole, sums, gy,
                    unit_gradients(u, group, g_sources.data() + units[u].part * source_size),
                    Scratch<T>(p));
    });
    parallel_for(threads, pieces.count, [&](int i) {
      const std::size_t at = static_cast<std::size_t>(pieces.begin(i)) * wide;
      const std::size_t count = static_cast<std::size_t>(pieces.end(i) - pieces.begin(i)) * wide;
      for (int part = 1; part < most_parts; ++part)
        add_rows(g_sources.data() + at, g_sources.data() + part * source_size + at, count);
      backward_sources(p, pieces.begin(i), pieces.end(i), g_sources.data(), g.h_source,
                       right.at(right_partial.data() + i * right_size));
    });
  }

  T* total = unit_partial.data();
  for (int u = 1; u < n_units; ++u) add_rows(total, total + u * unit_size, unit_size);
  for (int i = 1; i < n_pieces; ++i)
    add_rows(right_partial.data(), right_partial.data() + i * right_size, right_size);
  for (int k = 1; k < groups; ++k)
    add_rows(g_table.data(), g_table.data() + k * table_size, table_size);
  left.unpack(total, c.left, g.left, true);
  out.unpack(total + left.size, c.out, g.out, true);
  right.unpack(right_partial.data(), c.right, g.right, true);
  if (p.single) {
    std::copy_n(c.left.w2 ? g.left.b2 : g.left.b1, p.width, g.table);
  } else {
    for (int d = 0; d < c.table_rows; ++d)
      std::copy_n(g_table.data() + static_cast<std::ptrdiff_t>(d) * wide, p.width,
                  g.table + static_cast<std::ptrdiff_t>(d) * p.width);
  }
}

bool edges_are_valid(const Graphs& targets, const Graphs& sources, const std::int32_t* ptr,
                     const std::int32_t* source, const std::int32_t* code, std::int64_t edges,
                     int codes) {
  if (targets.count != sources.count || ptr[0] != 0 || targets.offsets[0] != 0 || sources.offsets[0] != 0)
    return false;
  for (int g = 0; g < targets.count; ++g) {
    const std::int32_t from = sources.offsets[g], to = sources.offsets[g + 1];
    if (to < from || targets.offsets[g + 1] < targets.offsets[g]) return false;
    for (std::int32_t i = targets.offsets[g]; i < targets.offsets[g + 1]; ++i) {
      if (ptr[i + 1] < ptr[i] || ptr[i + 1] > edges) return false;
      bool inside = true;
      for (std::int32_t e = ptr[i]; e < ptr[i + 1]; ++e)
        inside &= (source[e] >= from) & (source[e] < to) & (code[e] >= 0) & (code[e] < codes);
      if (!inside) return false;
    }
  }
  return ptr[targets.offsets[targets.count]] == edges;
}

template void half_forward<float>(int, const HalfConvolution<float>&, float*, float*);
template void half_forward<double>(int, const HalfConvolution<double>&, double*, double*);
template void half_backward<float>(int, const HalfConvolution<float>&, const float*, const float*,
                                   const HalfGradients<float>&);
template void half_backward<double>(int, const HalfConvolution<double>&, const double*, const double*,
                                    const HalfGradients<double>&);

}  // namespace g2milp

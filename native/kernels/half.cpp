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
  int begin, end;  // targets
  int part;        // which part of its graph: parts after the first have their own source gradient
};

std::vector<Unit> units_of(const Graphs& targets) {
  std::vector<Unit> units;
  for (int g = 0; g < targets.count; ++g) {
    const int begin = targets.offsets[g], rows = targets.offsets[g + 1] - begin;
    const int wanted = (kUnits + targets.count - 1) / targets.count;
    const int parts = std::max(1, std::min(wanted, rows / 256));
    for (int k = 0; k < parts; ++k)
      units.push_back({begin + static_cast<int>(static_cast<std::int64_t>(rows) * k / parts),
                       begin + static_cast<int>(static_cast<std::int64_t>(rows) * (k + 1) / parts), k});
  }
  return units;
}

// What forward and backward prepare alike.
template <class T>
struct Prepared {
  const HalfConvolution<T>& c;
  const int width, padded_width, n_targets, n_sources;
  const bool single;
  std::vector<T> shifted, wide_table;
  PackedMlp<T> left, right, out;
  Buffer<T> source_rows;
  const T* table;

  Prepared(const HalfConvolution<T>& call, bool backward)
      : c(call),
        width(c.width),
        padded_width(padded(c.width)),
        n_targets(c.targets.offsets[c.targets.count]),
        n_sources(c.sources.offsets[c.sources.count]),
        single(c.table_rows == 1),
        left(with_single_entry(), backward),
        right(c.right, backward),
        out(c.out, backward),
        source_rows(static_cast<std::size_t>(n_sources) * padded_width, padded_width != width) {
    table = c.table;
    if (padded_width != width && !single) {
      wide_table.assign(static_cast<std::size_t>(c.table_rows) * padded_width, T(0));
      for (int d = 0; d < c.table_rows; ++d)
        std::copy_n(c.table + static_cast<std::ptrdiff_t>(d) * width, width,
                    &wide_table[static_cast<std::size_t>(d) * padded_width]);
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

  void fill_sources(int threads) {
    const Pieces pieces(n_sources);
    const int in = c.right.widths[0];
    parallel_for(threads, pieces.count, [&](int i) {
      for (int row = pieces.begin(i); row < pieces.end(i); row += kRows) {
        Parts<const T> x;
        x.data[0] = c.h_source + static_cast<std::ptrdiff_t>(row) * in;
        x.stride[0] = in;
        row_kernels<T>().mlp_forward(right.view, x, std::min(kRows, pieces.end(i) - row),
                                     source_rows.data() + static_cast<std::ptrdiff_t>(row) * padded_width,
                                     padded_width);
      }
    });
  }

  Parts<const T> target_rows(int row) const {
    Parts<const T> x;
    x.data[0] = c.h_target + static_cast<std::ptrdiff_t>(row) * c.left.widths[0];
    x.stride[0] = c.left.widths[0];
    return x;
  }

  EdgeBlock<T> block(int row, int rows, const T* left_rows) const {
    return {c.ptr + row, c.source, c.code, rows, padded_width, single,
            left_rows, source_rows.data(), table};
  }

  // Inputs of `out`: the sums, the targets themselves and their degrees.
  Parts<const T> out_rows(int row, int rows, const T* sums, T* degrees) const {
    for (int r = 0; r < rows; ++r)
      degrees[r] = static_cast<T>(c.ptr[row + r + 1] - c.ptr[row + r]);
    Parts<const T> x;
    x.data[0] = sums;
    x.stride[0] = padded_width;
    x.data[1] = target_rows(row).data[0];
    x.stride[1] = c.left.widths[0];
    x.data[2] = degrees;
    x.stride[2] = 1;
    return x;
  }
};

template <class T>
void add_rows(T* total, const T* more, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) total[k] += more[k];
}

template <class T>
void backward_unit(const Prepared<T>& p, const Unit& unit, const T* saved, const T* gy, T* g_target,
                   T* g_right, T* g_table, const MlpGradient<T>& gw_left,
                   const MlpGradient<T>& gw_out, T* scratch) {
  const RowKernels<T>& run = row_kernels<T>();
  const int wide = p.padded_width, in = p.c.left.widths[0], n_out = p.c.out.out;
  const std::size_t area = static_cast<std::size_t>(kRows) * wide;
  T *left = scratch, *own_sums = left + area, *g_sums = own_sums + area, *g_left = g_sums + area;
  T* degrees = g_left + area;
  for (int row = unit.begin; row < unit.end; row += kRows) {
    const int rows = std::min(kRows, unit.end - row);
    const std::ptrdiff_t at = row;
    run.mlp_forward(p.left.view, p.target_rows(row), rows, left, wide);
    const EdgeBlock<T> edges = p.block(row, rows, left);
    const T* sums = saved ? saved + at * wide : own_sums;
    if (!saved) run.edge_forward(edges, own_sums);
    Parts<T> gx;
    gx.data[0] = g_sums;
    gx.stride[0] = wide;
    gx.data[1] = g_target + at * in;
    gx.stride[1] = in;
    run.mlp_backward(p.out.view, p.out_rows(row, rows, sums, degrees), rows, gy + at * n_out, n_out,
                     gx, false, gw_out);
    run.edge_backward(edges, g_sums, g_left, g_right, g_table);
    Parts<T> gh;
    gh.data[0] = g_target + at * in;
    gh.stride[0] = in;
    run.mlp_backward(p.left.view, p.target_rows(row), rows, g_left, wide, gh, true, gw_left);
  }
}

}  // namespace

template <class T>
void half_forward(int threads, const HalfConvolution<T>& c, T* sums, T* y) {
  Prepared<T> p(c, false);
  p.fill_sources(threads);
  const std::vector<Unit> units = units_of(c.targets);
  const RowKernels<T>& run = row_kernels<T>();
  const int wide = p.padded_width;
  const std::size_t area = static_cast<std::size_t>(kRows) * wide;
  parallel_for(threads, static_cast<int>(units.size()), [&](int u) {
    Buffer<T> scratch(2 * area + kRows, true);
    T *left = scratch.data(), *own_sums = left + area, *degrees = own_sums + area;
    for (int row = units[u].begin; row < units[u].end; row += kRows) {
      const int rows = std::min(kRows, units[u].end - row);
      run.mlp_forward(p.left.view, p.target_rows(row), rows, left, wide);
      T* to = sums ? sums + static_cast<std::ptrdiff_t>(row) * wide : own_sums;
      run.edge_forward(p.block(row, rows, left), to);
      run.mlp_forward(p.out.view, p.out_rows(row, rows, to, degrees), rows,
                      y + static_cast<std::ptrdiff_t>(row) * c.out.out, c.out.out);
    }
  });
}

template <class T>
void half_backward(int threads, const HalfConvolution<T>& c, const T* sums, const T* gy,
                   const HalfGradients<T>& g) {
  Prepared<T> p(c, true);
  p.fill_sources(threads);
  const std::vector<Unit> units = units_of(c.targets);
  const int wide = p.padded_width, n_units = static_cast<int>(units.size());
  int most_parts = 1;
  for (const Unit& unit : units) most_parts = std::max(most_parts, unit.part + 1);

  const std::size_t source_size = static_cast<std::size_t>(p.n_sources) * wide;
  Buffer<T> g_right(source_size * most_parts, true);
  const std::size_t table_size = p.single ? 0 : static_cast<std::size_t>(c.table_rows) * wide;
  const int groups = std::max(
      1, static_cast<int>(std::min<std::size_t>(n_units, kTableBudget / std::max<std::size_t>(1, table_size))));
  Buffer<T> g_table(table_size * groups, true);
  const PackedGradient<T> left(c.left), right(c.right), out(c.out);
  const std::size_t unit_size = static_cast<std::size_t>(left.size) + out.size;
  Buffer<T> unit_partial(unit_size * std::max(1, n_units), true);

  // Units that share a table gradient run in order in one thread.
  parallel_for(threads, groups, [&](int group) {
    Buffer<T> scratch(static_cast<std::size_t>(kRows) * (4 * wide + 1), true);
    const auto first = [&](int k) { return static_cast<int>(static_cast<std::int64_t>(n_units) * k / groups); };
    for (int u = first(group); u < first(group + 1); ++u) {
      T* base = unit_partial.data() + u * unit_size;
      backward_unit(p, units[u], sums, gy, g.h_target,
                    g_right.data() + units[u].part * source_size,
                    g_table.data() + group * table_size, left.at(base), out.at(base + left.size),
                    scratch.data());
    }
  });

  const Pieces pieces(p.n_sources);
  const std::size_t right_size = right.size;
  Buffer<T> right_partial(right_size * std::max(1, pieces.count), true);
  const int in = c.right.widths[0];
  parallel_for(threads, pieces.count, [&](int i) {
    for (int row = pieces.begin(i); row < pieces.end(i); row += kRows) {
      const int rows = std::min(kRows, pieces.end(i) - row);
      const std::ptrdiff_t at = row;
      T* total = g_right.data() + at * wide;
      for (int part = 1; part < most_parts; ++part)
        add_rows(total, total + part * source_size, static_cast<std::size_t>(rows) * wide);
      Parts<const T> x;
      x.data[0] = c.h_source + at * in;
      x.stride[0] = in;
      Parts<T> gx;
      gx.data[0] = g.h_source + at * in;
      gx.stride[0] = in;
      row_kernels<T>().mlp_backward(p.right.view, x, rows, total, wide, gx, false,
                                    right.at(right_partial.data() + i * right_size));
    }
  });

  T* total = unit_partial.data();
  for (int u = 1; u < n_units; ++u) add_rows(total, total + u * unit_size, unit_size);
  for (int i = 1; i < pieces.count; ++i)
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

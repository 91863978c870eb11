// Entries moved to other columns and rows: the native twin of generation/degrees/reference.py.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "../exchange/counter.hpp"

namespace nb = nanobind;

namespace {

using exchange::Counter;
using exchange::place;

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Matrix = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Lists one after the other: list k is flat[start[k] .. start[k + 1]).
template <class T>
struct Lists {
  const int64_t* start;
  const T* flat;

  int64_t size(int64_t k) const { return start[k + 1] - start[k]; }
  T at(int64_t k, int64_t i) const { return i >= 0 && i < size(k) ? flat[start[k] + i] : T(0); }
  T pick(int64_t k, double luck) const {
    return flat[start[k] + static_cast<int64_t>(luck * static_cast<double>(size(k)))];
  }
};

struct Problem {
  const int64_t* indptr;
  const int32_t* indices;
  const uint8_t* masked;
  int32_t *row_at, *col_at;
  const int32_t *row_of, *col_of, *block;
  const uint8_t* antichain;
  const int64_t* heads;  // rows of each row group
  Lists<double> row_law, col_law, row_seen, col_seen;
  Lists<int64_t> peers, members;
  int64_t n_rows, n_cols, n_col_groups;
};

class State {
 public:
  explicit State(const Problem& p)
      : p_(p),
        support_(static_cast<size_t>(p.indptr[p.n_rows])),
        in_cols_(static_cast<size_t>(p.n_rows)),
        in_rows_(static_cast<size_t>(p.n_cols)),
        cols_(static_cast<size_t>(p.n_rows)),
        rows_(static_cast<size_t>(p.n_cols)),
        row_total_(static_cast<size_t>(p.n_rows), 0),
        col_total_(static_cast<size_t>(p.n_cols), 0) {
    for (int64_t row = 0; row < p.n_rows; ++row) {
      const int32_t r = static_cast<int32_t>(row), group = p.row_of[row];
      row_total_[row] = p.indptr[row + 1] - p.indptr[row];
      for (int64_t i = p.indptr[row]; i < p.indptr[row + 1]; ++i) {
        const int32_t col = p.indices[i];
        ++col_total_[col];
        in_cols_.add(place(group, col), 1);
        if (!p.masked[row] && !p.antichain[group]) continue;
        in_rows_.add(place(row, p.col_of[col]), 1);
        support_.add(place(row, col), 1);
        cols_[row].push_back(col);
        if (p.antichain[group]) rows_[col].push_back(r);
      }
    }
  }

  // (r, c) -> (r, d) for a like column d.
  bool to_column(int64_t k, double second, double luck) {
    const int32_t r = p_.row_at[k], c = p_.col_at[k];
    const int32_t group = p_.row_of[r], kind = p_.col_of[c];
    const int32_t d = static_cast<int32_t>(p_.members.pick(kind, second));
    if (support_.has(place(r, d))) return false;
    if (p_.col_seen.at(kind, col_total_[c] - 1) == 0.0 || p_.col_seen.at(kind, col_total_[d] + 1) == 0.0)
      return false;
    if (!wanted(p_.col_law, block(group, kind), in_cols_.count(place(group, c)),
                in_cols_.count(place(group, d)), p_.heads[group], luck))
      return false;
    put(r, c, -1);
    put(r, d, 1);
    if (p_.antichain[group] && contained(r, d)) {
      put(r, d, -1);
      put(r, c, 1);
      return false;
    }
    p_.col_at[k] = d;
    return true;
  }

  // (r, c) -> (s, c) for a like masked row s.
  bool to_row(int64_t k, double second, double luck) {
    const int32_t r = p_.row_at[k], c = p_.col_at[k];
    const int32_t group = p_.row_of[r], kind = p_.col_of[c];
    const int32_t s = static_cast<int32_t>(p_.peers.pick(group, second));
    if (support_.has(place(s, c))) return false;
    if (p_.row_seen.at(group, row_total_[r] - 1) == 0.0 || p_.row_seen.at(group, row_total_[s] + 1) == 0.0)
      return false;
    if (!wanted(p_.row_law, block(group, kind), in_rows_.count(place(r, kind)),
                in_rows_.count(place(s, kind)), p_.members.size(kind), luck))
      return false;
    put(r, c, -1);
    put(s, c, 1);
    if (p_.antichain[group] && (contained(s, c) || lost(r))) {
      put(s, c, -1);
      put(r, c, 1);
      return false;
    }
    p_.row_at[k] = s;
    return true;
  }

 private:
  int64_t block(int32_t group, int32_t kind) const {
    return p_.block[static_cast<int64_t>(group) * p_.n_col_groups + kind];
  }

  // Products only, in the order of the twin: no rounding differs.
  static bool wanted(const Lists<double>& law, int64_t block, int64_t giving, int64_t taking,
                     int64_t size, double luck) {
    const double before = law.at(block, giving) * law.at(block, taking) *
                          static_cast<double>(giving) * static_cast<double>(size - taking);
    const double after = law.at(block, giving - 1) * law.at(block, taking + 1) *
                         static_cast<double>(taking + 1) * static_cast<double>(size - giving + 1);
    return before > 0.0 && luck * before < after;
  }

  void put(int32_t row, int32_t col, int32_t change) {
    const int32_t group = p_.row_of[row];
    support_.add(place(row, col), change);
    in_rows_.add(place(row, p_.col_of[col]), change);
    in_cols_.add(place(group, col), change);
    row_total_[row] += change;
    col_total_[col] += change;
    update(cols_[row], col, change);
    if (p_.antichain[group]) update(rows_[col], row, change);
  }

  static void update(std::vector<int32_t>& list, int32_t item, int32_t change) {
    if (change > 0) {
      list.push_back(item);
    } else {
      *std::find(list.begin(), list.end(), item) = list.back();
      list.pop_back();
    }
  }

  bool lies_in(int32_t inner, int32_t outer) const {
    if (cols_[inner].size() > cols_[outer].size()) return false;
    for (const int32_t col : cols_[inner])
      if (!support_.has(place(outer, col))) return false;
    return true;
  }

  bool like(int32_t row, int32_t other) const {
    return other != row && p_.row_of[other] == p_.row_of[row];
  }

  // Whether `row`, which has just got `col`, lies within another row or holds one.
  bool contained(int32_t row, int32_t col) const {
    for (const int32_t other : rows_[col])
      if (like(row, other) && (lies_in(row, other) || lies_in(other, row))) return true;
    return false;
  }

  // Whether `row`, which has just lost a column, lies within another row.
  bool lost(int32_t row) const {
    const auto& mine = cols_[row];
    if (mine.empty()) return true;
    const int32_t scarce = *std::min_element(mine.begin(), mine.end(), [&](int32_t a, int32_t b) {
      return rows_[a].size() < rows_[b].size();
    });
    for (const int32_t other : rows_[scarce])
      if (like(row, other) && lies_in(row, other)) return true;
    return false;
  }

  const Problem& p_;
  Counter support_, in_cols_, in_rows_;
  std::vector<std::vector<int32_t>> cols_, rows_;
  std::vector<int64_t> row_total_, col_total_;
};

int64_t run(Array<const int64_t> indptr, Array<const int32_t> indices, Array<const uint8_t> masked,
            Array<int32_t> row_at, Array<int32_t> col_at, Array<const int32_t> row_of,
            Array<const int32_t> col_of, Array<const int32_t> block,
            Array<const uint8_t> antichain, Array<const int64_t> heads,
            Array<const int64_t> row_law_start, Array<const double> row_law,
            Array<const int64_t> col_law_start, Array<const double> col_law,
            Array<const int64_t> row_seen_start, Array<const double> row_seen,
            Array<const int64_t> col_seen_start, Array<const double> col_seen,
            Array<const int64_t> peer_start, Array<const int64_t> peers,
            Array<const int64_t> member_start, Array<const int64_t> members,
            Matrix<double> draws) {
  const size_t n_row_groups = antichain.size(), n_col_groups = member_start.size() - 1;
  if (draws.shape(1) != 4 || row_at.size() != col_at.size() ||
      indptr.size() != row_of.size() + 1 || masked.size() != row_of.size() ||
      heads.size() != n_row_groups || peer_start.size() != n_row_groups + 1 ||
      row_seen_start.size() != n_row_groups + 1 || col_seen_start.size() != n_col_groups + 1 ||
      block.size() != n_row_groups * n_col_groups ||
      row_law_start.size() != col_law_start.size())
    throw std::invalid_argument("the arrays do not fit");
  const Problem p{indptr.data(),
                  indices.data(),
                  masked.data(),
                  row_at.data(),
                  col_at.data(),
                  row_of.data(),
                  col_of.data(),
                  block.data(),
                  antichain.data(),
                  heads.data(),
                  {row_law_start.data(), row_law.data()},
                  {col_law_start.data(), col_law.data()},
                  {row_seen_start.data(), row_seen.data()},
                  {col_seen_start.data(), col_seen.data()},
                  {peer_start.data(), peers.data()},
                  {member_start.data(), members.data()},
                  static_cast<int64_t>(row_of.size()),
                  static_cast<int64_t>(col_of.size()),
                  static_cast<int64_t>(n_col_groups)};
  const double n_places = static_cast<double>(row_at.size());
  const double* draw = draws.data();
  const size_t tries = row_at.size() ? draws.shape(0) : 0;
  nb::gil_scoped_release unlocked;
  State state(p);
  int64_t moved = 0;
  for (size_t t = 0; t < tries; ++t, draw += 4) {
    const int64_t k = static_cast<int64_t>(draw[0] * n_places);
    moved += draw[3] < 0.5 ? state.to_column(k, draw[1], draw[2]) : state.to_row(k, draw[1], draw[2]);
  }
  return moved;
}

}  // namespace

NB_MODULE(_degrees, m) {
  m.doc() = "Transfers of entries, the native twin of generation/degrees/reference.py.";
  m.def("run", &run);
}

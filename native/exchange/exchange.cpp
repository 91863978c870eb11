// Degree-preserving exchanges: the native twin of generation/exchange/reference.py, move for move.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <queue>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "state.hpp"

namespace nb = nanobind;

namespace {

using exchange::Judge;
using exchange::Problem;
using exchange::State;
using exchange::kFree;

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Matrix = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

std::tuple<int64_t, int64_t, int64_t> run(
    Array<const int64_t> indptr, Array<int32_t> indices, Array<double> values,
    Array<const int64_t> entries, Array<const int32_t> entry_row, Array<const int32_t> bucket,
    Array<const int64_t> bucket_start, Array<const int64_t> bucket_entries,
    Array<const uint8_t> rule, Array<const int32_t> row_of, Array<const int32_t> col_of,
    Array<const uint8_t> overlap, Array<const uint8_t> antichain,
    Array<const int32_t> turn, Array<const uint8_t> peeled, bool woven,
    Array<const int32_t> tie_of, Matrix<int64_t> tie_start, Array<const int64_t> tie_entries,
    Array<const uint8_t> writable, Matrix<double> draws, Matrix<float> score_rows,
    Matrix<float> score_cols, Array<const float> score_weights, Array<const int32_t> number, Array<const double> limits,
    Array<const int64_t> pair_start, Array<const int32_t> pair_cols,
    Array<const float> pair_scores) {
  if (draws.shape(1) != 3) throw std::invalid_argument("draws must have three columns");
  if (tie_start.shape(0) && (tie_start.shape(1) != col_of.size() + 1 ||
                             writable.size() != indices.size()))
    throw std::invalid_argument("ties do not fit");
  const bool judged = limits.size() > 0;
  const size_t width = score_rows.shape(1);
  if (judged && (limits.size() != draws.shape(0) || number.size() != row_of.size() ||
                 score_cols.shape(0) != col_of.size() || score_cols.shape(1) != width ||
                 (score_weights.size() && score_weights.size() != width) ||
                 (pair_start.size() && (pair_start.size() != score_rows.shape(0) + 1 ||
                                        pair_cols.size() != pair_scores.size()))))
    throw std::invalid_argument("scores do not fit");
  const Judge judge{score_rows.data(), score_cols.data(),
                    score_weights.size() ? score_weights.data() : nullptr,
                    static_cast<int64_t>(width), number.data(), judged ? limits.data() : nullptr,
                    pair_start.size() ? pair_start.data() : nullptr, pair_cols.data(),
                    pair_scores.data()};
  const Problem p{indptr.data(),     indices.data(),       values.data(),
                  entries.data(),    static_cast<int64_t>(entries.size()),
                  entry_row.data(),  bucket.data(),        bucket_start.data(),
                  bucket_entries.data(), rule.data(),      row_of.data(),
                  overlap.data(),    antichain.data(),     turn.data(),
                  peeled.data(),     woven,                tie_of.data(),
                  tie_start.data(),  tie_entries.data(),   writable.data(),
                  static_cast<int64_t>(row_of.size()),
                  static_cast<int64_t>(col_of.size())};
  int64_t exchanged = 0, permuted = 0, refused = 0;
  const double* draw = draws.data();
  const size_t tries = draws.shape(0);
  {
    nb::gil_scoped_release unlocked;
    State state(p, judge);
    for (size_t t = 0; t < tries; ++t, draw += 3) {
      const int64_t entry = p.entries[static_cast<int64_t>(draw[0] * static_cast<double>(p.n_entries))];
      if (p.rule[p.bucket[entry]] == kFree && draw[2] < 0.5) {
        state.permute(entry, draw[1]) ? ++permuted : ++refused;
      } else {
        state.exchange(entry, draw[1], draw[2] >= 0.75, t) ? ++exchanged : ++refused;
      }
    }
  }
  return {exchanged, permuted, refused};
}

// Peels the conflict graph of the marked rows, the native twin of peeling.py.
void peel(Array<const int64_t> indptr, Array<const int32_t> indices, Array<const uint8_t> marked,
          Array<const double> luck, Array<int32_t> turn, Array<int32_t> rest) {
  const int64_t n_rows = static_cast<int64_t>(marked.size());
  const int64_t n_cols = static_cast<int64_t>(luck.size());
  if (static_cast<int64_t>(indptr.size()) != n_rows + 1 || turn.size() != luck.size() ||
      rest.size() != luck.size())
    throw std::invalid_argument("the arrays do not fit");
  const int64_t* start = indptr.data();
  const int32_t* column = indices.data();
  const double* chance = luck.data();
  int32_t* when = turn.data();
  nb::gil_scoped_release unlocked;
  std::vector<int32_t> left(static_cast<size_t>(n_cols), 0);
  std::vector<int64_t> first(static_cast<size_t>(n_cols) + 1, 0);
  for (int64_t i = 0; i < n_rows; ++i)
    for (int64_t e = start[i]; marked.data()[i] && e < start[i + 1]; ++e) {
      left[column[e]] += static_cast<int32_t>(start[i + 1] - start[i] - 1);
      ++first[column[e] + 1];
    }
  for (int64_t c = 0; c < n_cols; ++c) first[c + 1] += first[c];
  std::vector<int32_t> rows(static_cast<size_t>(first[n_cols]));
  std::vector<int64_t> filled(first.begin(), first.end() - 1);
  for (int64_t i = 0; i < n_rows; ++i)
    for (int64_t e = start[i]; marked.data()[i] && e < start[i + 1]; ++e)
      rows[filled[column[e]]++] = static_cast<int32_t>(i);
  using Item = std::tuple<int32_t, double, int32_t>;
  std::priority_queue<Item, std::vector<Item>, std::greater<Item>> queue;
  for (int64_t c = 0; c < n_cols; ++c) {
    when[c] = -1;
    queue.emplace(left[c], chance[c], static_cast<int32_t>(c));
  }
  for (int32_t now = 0; !queue.empty();) {
    const auto [size, ignored, c] = queue.top();
    queue.pop();
    if (when[c] >= 0 || size != left[c]) continue;
    when[c] = now++;
    rest.data()[c] = size;
    for (int64_t k = first[c]; k < first[c + 1]; ++k)
      for (int64_t e = start[rows[k]]; e < start[rows[k] + 1]; ++e) {
        const int32_t d = column[e];
        if (when[d] < 0) queue.emplace(--left[d], chance[d], d);
      }
  }
}

}  // namespace

NB_MODULE(_exchange, m) {
  m.doc() = "Degree-preserving exchanges, the native twin of reference.py.";
  m.def("run", &run);
  m.def("peel", &peel);
}

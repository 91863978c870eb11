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

namespace nb = nanobind;

namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Matrix = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

enum Rule : uint8_t { kConstant = 0, kByRow = 1, kByColumn = 2, kFree = 3 };

// A counting hash set of 64-bit keys (open addressing, linear probing). Counts may return to zero;
// slots are never freed, and the table doubles before it is 60 % full.
class Counter {
 public:
  explicit Counter(size_t expected) { resize(expected * 2 + 16); }

  void add(uint64_t key, int32_t change) {
    size_t at = find(key);
    if (keys_[at] == kEmpty) {
      if ((used_ + 1) * 5 > keys_.size() * 3) {
        grow();
        at = find(key);
      }
      keys_[at] = key;
      ++used_;
    }
    counts_[at] += change;
  }

  bool has(uint64_t key) const {
    const size_t at = find(key);
    return keys_[at] == key && counts_[at] > 0;
  }

 private:
  static constexpr uint64_t kEmpty = ~uint64_t{0};

  size_t find(uint64_t key) const {
    uint64_t h = key * 0x9E3779B97F4A7C15ull;
    size_t at = (h ^ (h >> 29)) & mask_;
    while (keys_[at] != kEmpty && keys_[at] != key) at = (at + 1) & mask_;
    return at;
  }

  void resize(size_t wanted) {
    size_t size = 16;
    while (size < wanted) size *= 2;
    keys_.assign(size, kEmpty);
    counts_.assign(size, 0);
    mask_ = size - 1;
    used_ = 0;
  }

  void grow() {
    std::vector<uint64_t> keys;
    std::vector<int32_t> counts;
    keys.swap(keys_);
    counts.swap(counts_);
    resize(keys.size() * 2);
    for (size_t i = 0; i < keys.size(); ++i) {
      if (keys[i] == kEmpty || counts[i] == 0) continue;
      const size_t at = find(keys[i]);
      keys_[at] = keys[i];
      counts_[at] = counts[i];
      ++used_;
    }
  }

  std::vector<uint64_t> keys_;
  std::vector<int32_t> counts_;
  size_t mask_ = 0, used_ = 0;
};

struct Problem {
  const int64_t* indptr;
  int32_t* indices;
  double* values;
  const int64_t* entries;
  int64_t n_entries;
  const int32_t* entry_row;
  const int32_t* bucket;
  const int64_t* bucket_start;
  const int64_t* bucket_entries;
  const uint8_t* rule;
  const int32_t* row_of;
  const uint8_t* overlap;
  const uint8_t* antichain;
  const int32_t* turn;
  const uint8_t* peeled;
  int64_t n_rows;
  int64_t n_cols;
};

// Scores of (masked row, column) pairs, see scores.py. Products of two floats are exact in double:
// the sum is the same whether or not the compiler fuses them with the additions.
struct Judge {
  const float* rows;
  const float* cols;
  const float* weights;  // null: bilinear
  int64_t width;
  const int32_t* number;
  const double* limits;  // null: nothing is judged
  const int64_t* pair_start;  // null: no pair is scored by itself
  const int32_t* pair_cols;   // ascending within a row
  const float* pair_scores;

  double score(int64_t row, int64_t column) const {
    if (pair_start) {
      const int32_t* end = pair_cols + pair_start[row + 1];
      const int32_t* at = std::lower_bound(pair_cols + pair_start[row], end, column);
      if (at != end && *at == column) return static_cast<double>(pair_scores[at - pair_cols]);
    }
    const float* u = rows + row * width;
    const float* v = cols + column * width;
    double total = 0.0;
    if (weights) {
      for (int64_t k = 0; k < width; ++k) {
        const float sum = u[k] + v[k];
        total += static_cast<double>(sum > 0.0f ? sum : 0.0f) * static_cast<double>(weights[k]);
      }
    } else {
      for (int64_t k = 0; k < width; ++k) total += static_cast<double>(u[k]) * static_cast<double>(v[k]);
    }
    return total;
  }

  double gain(int32_t r, int32_t c, int32_t s, int32_t d) const {
    const int64_t i = number[r], j = number[s];
    return ((score(i, d) + score(j, c)) - score(i, c)) - score(j, d);
  }
};

class State {
 public:
  State(const Problem& p, const Judge& judge)
      : p_(p),
        judge_(judge),
        support_(static_cast<size_t>(p.indptr[p.n_rows])),
        pairs_(count_pairs(p)),
        rows_of_(static_cast<size_t>(p.n_cols)) {
    for (int64_t row = 0; row < p.n_rows; ++row) {
      const int32_t group = p.row_of[row];
      for (int64_t i = p.indptr[row]; i < p.indptr[row + 1]; ++i) {
        support_.add(place(row, p.indices[i]), 1);
        if (p.overlap[group]) {
          for (int64_t j = p.indptr[row]; j < i; ++j) pairs_.add(pair(p.indices[i], p.indices[j]), 1);
        } else if (p.antichain[group]) {
          rows_of_[p.indices[i]].push_back(static_cast<int32_t>(row));
        }
      }
    }
  }

  bool permute(int64_t entry, double second) {
    const int32_t row = p_.entry_row[entry];
    const int64_t start = p_.indptr[row], end = p_.indptr[row + 1];
    const int64_t other = start + static_cast<int64_t>(second * static_cast<double>(end - start));
    if (p_.bucket[other] != p_.bucket[entry] || p_.values[other] == p_.values[entry]) return false;
    std::swap(p_.values[entry], p_.values[other]);
    return true;
  }

  bool exchange(int64_t entry, double second, bool swap_values, size_t number) {
    const int32_t bucket = p_.bucket[entry];
    const int64_t start = p_.bucket_start[bucket], end = p_.bucket_start[bucket + 1];
    const int64_t other =
        p_.bucket_entries[start + static_cast<int64_t>(second * static_cast<double>(end - start))];
    const int32_t r = p_.entry_row[entry], s = p_.entry_row[other];
    const int32_t c = p_.indices[entry], d = p_.indices[other];
    const uint8_t rule = p_.rule[bucket];
    if (r == s) return false;
    if (c == d) {
      if (rule != kFree || p_.values[entry] == p_.values[other]) return false;
      std::swap(p_.values[entry], p_.values[other]);
      return true;
    }
    if (support_.has(place(r, d)) || support_.has(place(s, c))) return false;
    if (p_.peeled[p_.row_of[r]] && !(keeps_turn(r, entry, d) && keeps_turn(s, other, c))) return false;
    if (judge_.limits && judge_.gain(r, c, s, d) < judge_.limits[number]) return false;
    if (!allowed(entry, other, r, c, s, d)) return false;
    if (rule == kByColumn || (rule == kFree && swap_values))
      std::swap(p_.values[entry], p_.values[other]);
    return true;
  }

 private:
  static uint64_t pair(int32_t c, int32_t d) {
    const uint64_t low = static_cast<uint32_t>(std::min(c, d));
    return (low << 32) | static_cast<uint32_t>(std::max(c, d));
  }
  static uint64_t place(int64_t row, int32_t column) {
    return (static_cast<uint64_t>(row) << 32) | static_cast<uint32_t>(column);
  }
  static size_t count_pairs(const Problem& p) {
    size_t pairs = 0;
    for (int64_t row = 0; row < p.n_rows; ++row) {
      const size_t degree = static_cast<size_t>(p.indptr[row + 1] - p.indptr[row]);
      if (p.overlap[p.row_of[row]]) pairs += degree * (degree - 1) / 2;
    }
    return pairs;
  }

  // Whether `column` has the place of the entry in the peeling order of its row.
  bool keeps_turn(int32_t row, int64_t entry, int32_t column) const {
    const int32_t old = p_.turn[p_.indices[entry]], now = p_.turn[column];
    for (int64_t i = p_.indptr[row]; i < p_.indptr[row + 1]; ++i) {
      const int32_t turn = p_.turn[p_.indices[i]];
      if (i != entry && (now < turn) != (old < turn)) return false;
    }
    return true;
  }

  // Swap the columns of two entries unless an invariant breaks; the entries are left either way right.
  bool allowed(int64_t entry, int64_t other, int32_t r, int32_t c, int32_t s, int32_t d) {
    const int32_t group = p_.row_of[r];
    if (p_.overlap[group]) {
      pairs_of(r, entry, c, -1);
      pairs_of(s, other, d, -1);
      const bool fine = !pair_taken(r, entry, d) && !pair_taken(s, other, c);
      pairs_of(r, entry, fine ? d : c, 1);
      pairs_of(s, other, fine ? c : d, 1);
      if (!fine) return false;
      move(entry, r, c, d, false);
      move(other, s, d, c, false);
      return true;
    }
    const bool chain = p_.antichain[group];
    move(entry, r, c, d, chain);
    move(other, s, d, c, chain);
    if (chain && (contained(r, d) || contained(s, c))) {
      move(other, s, c, d, chain);
      move(entry, r, d, c, chain);
      return false;
    }
    return true;
  }

  void pairs_of(int32_t row, int64_t skipped, int32_t column, int32_t change) {
    for (int64_t i = p_.indptr[row]; i < p_.indptr[row + 1]; ++i)
      if (i != skipped) pairs_.add(pair(column, p_.indices[i]), change);
  }

  bool pair_taken(int32_t row, int64_t skipped, int32_t column) const {
    for (int64_t i = p_.indptr[row]; i < p_.indptr[row + 1]; ++i)
      if (i != skipped && pairs_.has(pair(column, p_.indices[i]))) return true;
    return false;
  }

  void move(int64_t entry, int32_t row, int32_t from, int32_t to, bool chain) {
    support_.add(place(row, from), -1);
    support_.add(place(row, to), 1);
    p_.indices[entry] = to;
    if (!chain) return;
    auto& rows = rows_of_[from];
    *std::find(rows.begin(), rows.end(), row) = rows.back();
    rows.pop_back();
    rows_of_[to].push_back(row);
  }

  bool lies_in(int32_t inner, int32_t outer) const {
    if (p_.indptr[inner + 1] - p_.indptr[inner] > p_.indptr[outer + 1] - p_.indptr[outer]) return false;
    for (int64_t i = p_.indptr[inner]; i < p_.indptr[inner + 1]; ++i)
      if (!support_.has(place(outer, p_.indices[i]))) return false;
    return true;
  }

  bool contained(int32_t row, int32_t column) const {
    const int32_t group = p_.row_of[row];
    for (const int32_t other : rows_of_[column])
      if (other != row && p_.row_of[other] == group && (lies_in(row, other) || lies_in(other, row)))
        return true;
    return false;
  }

  const Problem& p_;
  const Judge& judge_;
  Counter support_;
  Counter pairs_;
  std::vector<std::vector<int32_t>> rows_of_;
};

std::tuple<int64_t, int64_t, int64_t> run(
    Array<const int64_t> indptr, Array<int32_t> indices, Array<double> values,
    Array<const int64_t> entries, Array<const int32_t> entry_row, Array<const int32_t> bucket,
    Array<const int64_t> bucket_start, Array<const int64_t> bucket_entries,
    Array<const uint8_t> rule, Array<const int32_t> row_of, Array<const int32_t> col_of,
    Array<const uint8_t> overlap, Array<const uint8_t> antichain,
    Array<const int32_t> turn, Array<const uint8_t> peeled, Matrix<double> draws, Matrix<float> score_rows, Matrix<float> score_cols,
    Array<const float> score_weights, Array<const int32_t> number, Array<const double> limits,
    Array<const int64_t> pair_start, Array<const int32_t> pair_cols,
    Array<const float> pair_scores) {
  if (draws.shape(1) != 3) throw std::invalid_argument("draws must have three columns");
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
                  peeled.data(),     static_cast<int64_t>(row_of.size()),
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

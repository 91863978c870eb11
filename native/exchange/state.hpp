// What has to be known to make or refuse a move, kept up to date; twin of reference.py: _State.

#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "counter.hpp"
#include "problem.hpp"

namespace exchange {

class State {
 public:
  State(const Problem& p, const Judge& judge)
      : p_(p),
        judge_(judge),
        support_(static_cast<size_t>(p.indptr[p.n_rows])),
        pairs_(count_pairs(p, false)),
        weave_(count_pairs(p, true)),
        rows_of_(static_cast<size_t>(p.n_cols)) {
    for (int64_t row = 0; row < p.n_rows; ++row) {
      const int32_t group = p.row_of[row];
      for (int64_t i = p.indptr[row]; i < p.indptr[row + 1]; ++i) {
        support_.add(place(row, p.indices[i]), 1);
        if (p.woven)
          for (int64_t j = p.indptr[row]; j < i; ++j) weave_.add(pair(p.indices[i], p.indices[j]), 1);
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
    const int32_t tie = p_.tie_of[p_.row_of[r]];
    if (tie >= 0 && !tied(tie, c, d, false)) return false;
    if (p_.woven && !weaves(entry, other, r, c, s, d)) return false;
    if (!allowed(entry, other, r, c, s, d)) {
      if (p_.woven) reweave(entry, other, r, d, c, s, c, d);
      return false;
    }
    if (tie >= 0) tied(tie, c, d, true);
    if (rule == kByColumn || (rule == kFree && swap_values))
      std::swap(p_.values[entry], p_.values[other]);
    return true;
  }

 private:
  static size_t count_pairs(const Problem& p, bool weave) {
    size_t pairs = 0;
    for (int64_t row = 0; row < p.n_rows; ++row) {
      const size_t degree = static_cast<size_t>(p.indptr[row + 1] - p.indptr[row]);
      if (weave ? p.woven : p.overlap[p.row_of[row]] != 0) pairs += degree * (degree - 1) / 2;
    }
    return pairs;
  }

  // The values that follow columns c and d when they change rows; whether they can is asked first.
  bool tied(int32_t tie, int32_t c, int32_t d, bool write) {
    const int64_t* start = p_.tie_start + tie * (p_.n_cols + 1);
    const int64_t *of_c = p_.tie_entries + start[c], *end_c = p_.tie_entries + start[c + 1];
    const int64_t *of_d = p_.tie_entries + start[d], *end_d = p_.tie_entries + start[d + 1];
    if (of_c == end_c || of_d == end_d) return of_c == end_c && of_d == end_d;
    const double value_c = p_.values[*of_c], value_d = p_.values[*of_d];
    if (value_c == value_d) return true;
    for (; of_c != end_c; ++of_c) {
      if (!p_.writable[*of_c]) return false;
      if (write) p_.values[*of_c] = value_d;
    }
    for (; of_d != end_d; ++of_d) {
      if (!p_.writable[*of_d]) return false;
      if (write) p_.values[*of_d] = value_c;
    }
    return true;
  }

  // Whether both rows share as many pairs of columns with other rows as before; then it is done.
  bool weaves(int64_t entry, int64_t other, int32_t r, int32_t c, int32_t s, int32_t d) {
    weave(r, entry, c, -1);
    weave(s, other, d, -1);
    const bool fine = gained(r, entry, c, d) == 0 && gained(s, other, d, c) == 0;
    weave(r, entry, fine ? d : c, 1);
    weave(s, other, fine ? c : d, 1);
    return fine;
  }

  void reweave(int64_t entry, int64_t other, int32_t r, int32_t from, int32_t to, int32_t s,
               int32_t from_s, int32_t to_s) {
    weave(r, entry, from, -1);
    weave(s, other, from_s, -1);
    weave(r, entry, to, 1);
    weave(s, other, to_s, 1);
  }

  void weave(int32_t row, int64_t skipped, int32_t column, int32_t change) {
    for (int64_t i = p_.indptr[row]; i < p_.indptr[row + 1]; ++i)
      if (i != skipped) weave_.add(pair(column, p_.indices[i]), change);
  }

  int64_t gained(int32_t row, int64_t skipped, int32_t from, int32_t to) const {
    int64_t sum = 0;
    for (int64_t i = p_.indptr[row]; i < p_.indptr[row + 1]; ++i)
      if (i != skipped) sum += weave_.count(pair(to, p_.indices[i])) - weave_.count(pair(from, p_.indices[i]));
    return sum;
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
  Counter weave_;
  std::vector<std::vector<int32_t>> rows_of_;
};

}  // namespace exchange

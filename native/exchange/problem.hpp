// One instance as the inner loop sees it (engine.py: Problem), and who judges its moves (scores.py).

#pragma once

#include <algorithm>
#include <cstdint>

namespace exchange {

enum Rule : uint8_t { kConstant = 0, kByRow = 1, kByColumn = 2, kFree = 3 };

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
  bool woven;
  const int32_t* tie_of;
  const int64_t* tie_start;  // (ties, n_cols + 1)
  const int64_t* tie_entries;
  const uint8_t* writable;
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

}  // namespace exchange

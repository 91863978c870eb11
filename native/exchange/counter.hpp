// Counts of pairs (row, column) and (column, column).

#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace exchange {

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

  int32_t count(uint64_t key) const {
    const size_t at = find(key);
    return keys_[at] == key ? counts_[at] : 0;
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

// The key of a place (row, column), and of an unordered pair of columns.
inline uint64_t place(int64_t row, int32_t column) {
  return (static_cast<uint64_t>(row) << 32) | static_cast<uint32_t>(column);
}
inline uint64_t pair(int32_t c, int32_t d) {
  const uint64_t low = static_cast<uint32_t>(std::min(c, d));
  return (low << 32) | static_cast<uint32_t>(std::max(c, d));
}

}  // namespace exchange

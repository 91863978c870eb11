// Threads, buffers, and the fixed pieces that work is cut into.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <mutex>

namespace g2milp {

// Calls body(i) for every i < count; which thread does it must not matter to the result.
template <class Body>
void parallel_for(int threads, int count, const Body& body) {
#ifdef _OPENMP
  if (threads > 1 && count > 1) {
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int i = 0; i < count; ++i) body(i);
    return;
  }
#else
  (void)threads;
#endif
  for (int i = 0; i < count; ++i) body(i);
}

// Rows in pieces of equal size: at least 1,024 rows each and at most 256 pieces, whatever the threads.
struct Pieces {
  int rows, each, count;
  explicit Pieces(int n) : rows(n) {
    each = std::max(1024, ((n + 255) / 256 + 63) / 64 * 64);
    count = n > 0 ? (n + each - 1) / each : 0;
  }
  int begin(int i) const { return i * each; }
  int end(int i) const { return std::min(rows, (i + 1) * each); }
};

// Asks the C library to keep freed memory in the process (glibc only; false elsewhere).
bool keep_memory();

// Blocks of memory that were used before, so that a training step does not ask the system for them anew.
class Pool {
 public:
  static Pool& instance();
  void* take(std::size_t bytes);
  void give(void* block, std::size_t bytes);

 private:
  static constexpr std::size_t kKept = std::size_t{256} << 20;
  std::mutex lock_;
  std::multimap<std::size_t, void*> free_;
  std::size_t held_ = 0;
};

// Cache-line aligned numbers without constructors.
template <class T>
class Buffer {
 public:
  explicit Buffer(std::size_t n, bool zero = false) : bytes_(n * sizeof(T) + 1) {
    data_ = static_cast<T*>(Pool::instance().take(bytes_));
    if (zero) std::fill_n(data_, n, T(0));
  }
  ~Buffer() { Pool::instance().give(data_, bytes_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  T* data() const { return data_; }

 private:
  std::size_t bytes_;
  T* data_;
};

}  // namespace g2milp

// Threads, buffers, and the fixed pieces that work is cut into.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>

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

// Cache-line aligned numbers without constructors.
template <class T>
class Buffer {
 public:
  explicit Buffer(std::size_t n, bool zero = false) {
    const std::size_t bytes = (n * sizeof(T) + 64) / 64 * 64;
    data_.reset(static_cast<T*>(std::aligned_alloc(64, bytes)));
    if (!data_) throw std::bad_alloc();
    if (zero) std::fill_n(data_.get(), n, T(0));
  }
  T* data() const { return data_.get(); }

 private:
  struct Free {
    void operator()(T* p) const { std::free(p); }
  };
  std::unique_ptr<T, Free> data_;
};

}  // namespace g2milp

#include "parallel.hpp"

#include <bit>
#include <cstdlib>
#include <new>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace g2milp {

namespace {

// Sizes are rounded up by at most an eighth, so that slightly different batches share blocks.
std::size_t rounded(std::size_t bytes) {
  const std::size_t step = std::max<std::size_t>(4096, std::bit_ceil(bytes) / 16);
  return (bytes + step - 1) / step * step;
}

}  // namespace

Pool& Pool::instance() {
  static Pool* pool = new Pool;  // never destroyed: threads may outlive static objects
  return *pool;
}

void* Pool::take(std::size_t bytes) {
  const std::size_t size = rounded(bytes);
  {
    const std::lock_guard<std::mutex> guard(lock_);
    if (const auto found = free_.find(size); found != free_.end()) {
      void* block = found->second;
      held_ -= size;
      free_.erase(found);
      return block;
    }
  }
  void* block = std::aligned_alloc(64, size);
  if (!block) throw std::bad_alloc();
  return block;
}

void Pool::give(void* block, std::size_t bytes) {
  const std::size_t size = rounded(bytes);
  {
    const std::lock_guard<std::mutex> guard(lock_);
    if (held_ + size <= kKept) {
      held_ += size;
      free_.emplace(size, block);
      return;
    }
  }
  std::free(block);
}

bool keep_memory() {
#ifdef __GLIBC__
  // Above the largest tensor of a step; what is free stays with the process until it ends.
  return mallopt(M_MMAP_THRESHOLD, 1 << 30) && mallopt(M_TRIM_THRESHOLD, 1 << 30);
#else
  return false;
#endif
}

}  // namespace g2milp

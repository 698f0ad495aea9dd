// An array of zeros for one worker. It takes no memory pages before it is used, so that an idle
// worker takes address space only.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <sys/mman.h>
#include <type_traits>

namespace mpf {

template <class T> class ZeroedArray {
  static_assert(std::is_arithmetic_v<T>);

public:
  ZeroedArray() = default;
  /// Throws std::bad_alloc.
  explicit ZeroedArray(size_t size) : data_(allocate(size), Free{mappedBytes(size)}), size_(size) {
    if (data_ == nullptr && size != 0)
      throw std::bad_alloc();
  }

  T *data() { return data_.get(); }
  const T *data() const { return data_.get(); }
  size_t size() const { return size_; }
  T *begin() { return data(); }
  T *end() { return data() + size_; }
  T &operator[](size_t at) { return data()[at]; }
  const T &operator[](size_t at) const { return data()[at]; }

private:
  /// The size from which memory is mapped: calloc would fill recycled memory with zeros, megabytes
  /// for each worker.
  static constexpr size_t kLeastMappedBytes = size_t{32} << 10;

  struct Free {
    size_t mappedBytes = 0; ///< 0: not mapped
    void operator()(T *memory) const {
      if (mappedBytes != 0)
        munmap(memory, mappedBytes);
      else
        std::free(memory);
    }
  };
  static size_t mappedBytes(size_t size) {
    return size * sizeof(T) >= kLeastMappedBytes ? size * sizeof(T) : 0;
  }
  static T *allocate(size_t size) {
    const size_t bytes = mappedBytes(size);
    if (bytes == 0)
      return static_cast<T *>(std::calloc(size, sizeof(T)));
    void *const memory =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? nullptr : static_cast<T *>(memory);
  }

  std::unique_ptr<T[], Free> data_;
  size_t size_ = 0;
};

} // namespace mpf

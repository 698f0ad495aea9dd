// An array of zeros for one worker. It takes no memory pages before it is used, so that a worker
// for which a run has no work takes address space only.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace mpf {

template <class T> class ZeroedArray {
  static_assert(std::is_arithmetic_v<T>);

public:
  ZeroedArray() = default;
  /// Throws std::bad_alloc.
  explicit ZeroedArray(size_t size)
      : data_(static_cast<T *>(std::calloc(size, sizeof(T)))), size_(size) {
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
  struct Free {
    void operator()(T *memory) const { std::free(memory); }
  };
  std::unique_ptr<T[], Free> data_;
  size_t size_ = 0;
};

} // namespace mpf

// Vectors whose memory comes from the system as zeros. A large one is first touched by the threads
// that use it.
#pragma once

#include <cstdlib>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace mpf {

/// An allocator whose elements are zero bytes until they get a value.
template <class T> struct ZeroedAllocator {
  static_assert(std::is_trivial_v<T>);
  using value_type = T;

  ZeroedAllocator() = default;
  template <class U> ZeroedAllocator(const ZeroedAllocator<U> &) noexcept {}

  T *allocate(size_t count) {
    void *const memory = count > std::numeric_limits<size_t>::max() / sizeof(T)
                             ? nullptr
                             : std::calloc(count, sizeof(T));
    if (memory == nullptr && count != 0)
      throw std::bad_alloc();
    return static_cast<T *>(memory);
  }
  void deallocate(T *memory, size_t) noexcept { std::free(memory); }

  template <class U> void construct(U *) noexcept {} ///< it is zero
  template <class U, class... Args> void construct(U *place, Args &&...args) {
    ::new (static_cast<void *>(place)) U(std::forward<Args>(args)...);
  }

  friend bool operator==(const ZeroedAllocator &, const ZeroedAllocator &) { return true; }
};

/// A vector of zeros for sizes that do not change: elements that it gets after it has become
/// smaller keep their old values.
template <class T> using ZeroedVector = std::vector<T, ZeroedAllocator<T>>;

} // namespace mpf

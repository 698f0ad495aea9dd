// A thread with a small stack, so that a thousand of them take little address space. (An ordinary
// thread reserves 8 MiB.)
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <pthread.h>

namespace mpf {

/// Address space of the stack; a guard page lies below it. Measured over every kernel, element type
/// and form, a thread touches at most 14 KiB, exceptions included. Sanitizers need more.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr uint64_t kPoolStackBytes = uint64_t{2} << 20;
#else
inline constexpr uint64_t kPoolStackBytes = uint64_t{256} << 10;
#endif

class PoolThread {
public:
  /// Starts `work`, which must not throw. Throws std::system_error when the system cannot start a
  /// thread, and std::bad_alloc when it has no memory. The new thread allocates nothing to start,
  /// so it needs no arena of the allocator (64 MiB of address space each).
  explicit PoolThread(std::function<void()> work);
  PoolThread(PoolThread &&) noexcept = default;
  PoolThread &operator=(PoolThread &&) = delete;

  /// Waits for the end of `work`. Must be called once before the object is destroyed.
  void join();

private:
  std::unique_ptr<std::function<void()>> work_; ///< freed by the thread that calls join()
  pthread_t thread_{};
};

} // namespace mpf

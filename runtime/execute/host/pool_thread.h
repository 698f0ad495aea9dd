// A thread with a small stack: a thousand of them fit where each usual one reserves 8 MiB.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <pthread.h>

namespace mpf {

/// Bytes of addresses for the stack of a thread; a guard page lies below. Measured over every
/// kernel, element type and form: at most 14 KiB are touched, failures thrown and caught included.
/// Sanitizers take more.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr uint64_t kPoolStackBytes = uint64_t{2} << 20;
#else
inline constexpr uint64_t kPoolStackBytes = uint64_t{256} << 10;
#endif

class PoolThread {
public:
  /// Starts `work`, which must not throw. Throws std::system_error where the system gives no
  /// thread, std::bad_alloc where it gives no memory. The new thread itself allocates nothing, so
  /// that it needs no arena of the allocator (64 MiB of addresses each).
  explicit PoolThread(std::function<void()> work);
  PoolThread(PoolThread &&) noexcept = default;
  PoolThread &operator=(PoolThread &&) = delete;

  /// Waits for the end of the work. Must be called once, before the object is destroyed.
  void join();

private:
  std::unique_ptr<std::function<void()>> work_; ///< join() frees it
  pthread_t thread_{};
};

} // namespace mpf

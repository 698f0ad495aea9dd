#include "runtime/execute/gpu/device_start.h"

#include "dsl/support/system/fork_count.h"
#include "runtime/execute/gpu/cuda_library.h"

#include <mutex>
#include <thread>
#include <utility>

namespace mpf {

namespace {

/// Whatever fails, opening a device says it.
void openContext() noexcept {
  try {
    static const CudaLibrary driver = openCuda(); // the context stays, and so must the library
    int count = 0, device = 0;
    CudaContext context = nullptr;
    if (driver.library.isOpen() && driver.init(0) == 0 && driver.deviceCount(&count) == 0 &&
        count > 0 && driver.deviceGet(&device, 0) == 0)
      driver.contextRetain(&context, device);
  } catch (...) {
  }
}

/// In a forked child nothing of it is touched: the thread is the parent's, and may have held the
/// mutex when the process was forked.
class DeviceStart {
public:
  ~DeviceStart() {
    if (!thread_.joinable())
      return;
    if (isHere())
      thread_.join(); // a process must not end while its driver starts
    else
      thread_.detach();
  }

  void begin() {
    if (!isHere())
      return;
    const std::lock_guard lock(mutex_);
    if (!std::exchange(hasBegun_, true))
      thread_ = std::thread(openContext);
  }

  void await() {
    if (!isHere())
      return;
    const std::lock_guard lock(mutex_);
    if (thread_.joinable())
      thread_.join();
  }

private:
  bool isHere() const { return madeIn_ == forkCount(); }

  const unsigned madeIn_ = forkCount(); ///< process, by its forks
  std::mutex mutex_;
  std::thread thread_; ///< not joinable: not begun, or has ended and was waited for
  bool hasBegun_ = false;
};

DeviceStart &theStart() {
  static DeviceStart start;
  return start;
}

} // namespace

void startDevice() noexcept {
  try {
    theStart().begin();
  } catch (...) { // no thread: then it starts when a device is opened
  }
}

void awaitDevice() { theStart().await(); }

} // namespace mpf

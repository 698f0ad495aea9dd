#include "runtime/execute/gpu/device_start.h"

#include "dsl/support/system/fork_count.h"
#include "runtime/execute/gpu/cuda_library.h"
#include "runtime/execute/gpu/start_times.h"

#include <atomic>
#include <future>
#include <memory>
#include <mutex>
#include <thread>

namespace mpf {

namespace {

/// The context of a GPU, held open. It reports no failures; opening a device does.
class HeldContext {
public:
  explicit HeldContext(int ordinal) : ordinal_(ordinal) {}
  HeldContext(const HeldContext &) = delete;
  HeldContext &operator=(const HeldContext &) = delete;
  ~HeldContext() {
    if (context_ == nullptr)
      return;
    const StartTimer timer(StartPart::End);
    driver_.contextRelease(device_);
  }

  void startDriver() noexcept {
    const StartTimer timer(StartPart::Driver);
    try {
      driver_ = openCuda();
      int count = 0;
      isUp_ = driver_.library.isOpen() && driver_.init(0) == 0 &&
              driver_.deviceCount(&count) == 0 && count > 0;
    } catch (...) {
    }
  }

  void open() noexcept {
    const StartTimer timer(StartPart::Context);
    if (isUp_ && driver_.deviceGet(&device_, ordinal_) == 0 &&
        driver_.contextRetain(&context_, device_) != 0)
      context_ = nullptr;
  }

  bool isOpen() const { return context_ != nullptr; }

private:
  const int ordinal_;
  CudaLibrary driver_;
  bool isUp_ = false;
  int device_ = 0;
  CudaContext context_ = nullptr;
};

/// The start of the GPU. A forked child must not touch it: the thread belongs to the parent and may
/// have held the mutex at the fork.
class DeviceStart {
public:
  ~DeviceStart() {
    if (!isHere()) {
      if (thread_.joinable())
        thread_.detach();
      static_cast<void>(held_.release());
    } else if (thread_.joinable()) {
      thread_.join(); // a process must not end while its driver starts
    }
  }

  void begin(bool keeps, int ordinal) {
    if (!isHere())
      return;
    const std::lock_guard lock(mutex_);
    const bool isNew = !hasBegun_ || (keeps && !keeps_ && held_ == nullptr);
    keeps_ = keeps_ || keeps;
    hasBegun_ = true;
    if (!isNew)
      return;
    join();
    held_ = std::make_unique<HeldContext>(ordinal);
    std::promise<void> started, opened;
    driver_ = started.get_future();
    context_ = opened.get_future();
    isStarting_ = true;
    try {
      thread_ =
          std::thread([this, started = std::move(started), opened = std::move(opened)]() mutable {
            held_->startDriver();
            started.set_value();
            held_->open();
            isStarting_ = false;
            opened.set_value();
          });
    } catch (...) { // no thread: the driver starts when a device is opened
      driver_ = context_ = {};
      isStarting_ = false;
    }
  }

  void awaitDriver() { await(driver_); }
  void awaitContext() { await(context_); }

  bool isHeld() {
    if (!isHere())
      return false;
    const std::lock_guard lock(mutex_);
    return isStarting_ || (held_ != nullptr && held_->isOpen());
  }

  void opened() {
    if (!isHere())
      return;
    const std::lock_guard lock(mutex_);
    if (!keeps_)
      giveBack();
  }

  void end() {
    if (!isHere())
      return;
    const std::lock_guard lock(mutex_);
    giveBack();
  }

private:
  /// Waits without the mutex, so that waits for the driver and for the context are independent.
  void await(const std::shared_future<void> &step) {
    if (!isHere())
      return;
    std::shared_future<void> mine;
    {
      const std::lock_guard lock(mutex_);
      mine = step;
    }
    if (!mine.valid())
      return;
    const StartTimer timer(StartPart::Wait);
    mine.wait();
  }
  void join() {
    if (thread_.joinable())
      thread_.join();
  }
  void giveBack() {
    join();
    held_.reset();
  }
  bool isHere() const { return madeIn_ == forkCount(); }

  const unsigned madeIn_ = forkCount(); ///< process that made it, by its forks
  std::unique_ptr<HeldContext> held_;
  std::mutex mutex_;
  std::thread thread_; ///< not joinable: not begun, or joined
  /// Ready when the thread has started the driver, opened the context.
  std::shared_future<void> driver_, context_;
  std::atomic<bool> isStarting_ = false; ///< the thread runs
  bool hasBegun_ = false, keeps_ = false;
};

DeviceStart &theStart() {
  static DeviceStart start;
  return start;
}

} // namespace

namespace {

void begin(bool keeps, int ordinal) noexcept {
  try {
    theStart().begin(keeps, ordinal);
  } catch (...) { // no memory: the driver starts when a device is opened
  }
}

} // namespace

void startDevice(int ordinal) noexcept { begin(true, ordinal); }

void expectDevice() noexcept { begin(false, 0); }

void deviceOpened() { theStart().opened(); }

void awaitDriver() { theStart().awaitDriver(); }

bool isDeviceHeld() { return theStart().isHeld(); }

void awaitDevice() { theStart().awaitContext(); }

void endDevice() { theStart().end(); }

} // namespace mpf

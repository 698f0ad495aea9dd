// The time of calls, copies and kernels on the fake GPU (fake_cuda.cpp). It serves to measure the
// host's work beside a GPU. MPF_FAKE_CUDA_TIME=CALL:BYTES:KERNEL:
//
//   CALL    nanoseconds of each call; the driver does one call after the other, for all threads
//   BYTES   bytes that a copy moves in a microsecond; one copy each way at a time
//   KERNEL  nanoseconds of each launch; one at a time
//
// Work on a stream begins when the work before it on the stream has ended and its engine is free.
// So its end is known when it is put there, and no thread has to run it. A thread that waits for it
// sleeps until that end.
//
// Nothing is copied: all memory is filled with the bytes of one finite number, so that answers are
// numbers, but have no meaning. Thread-safe.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <thread>

namespace mpf::fake {

enum class Engine { Up, Down, Kernels };

class Timing {
public:
  /// The value of all bytes of memory. Floating-point numbers of 4 or 8 such bytes are positive and
  /// below 1.
  static constexpr int kFill = 0x3f;

  Timing() {
    const char *text = std::getenv("MPF_FAKE_CUDA_TIME");
    if (text == nullptr)
      return;
    char *end = nullptr;
    callNs_ = std::strtoul(text, &end, 10);
    bytesPerUs_ = *end == ':' ? std::strtoul(end + 1, &end, 10) : 0;
    kernelNs_ = *end == ':' ? std::strtoul(end + 1, &end, 10) : 0;
    isOn_ = bytesPerUs_ != 0;
  }
  bool isOn() const { return isOn_; }

  void call() {
    if (!isOn_ || callNs_ == 0)
      return;
    const std::scoped_lock lock(calls_);
    for (const uint64_t end = now() + callNs_; now() < end;) {
    }
  }
  void copy(Engine engine, const void *stream, uint64_t bytes) {
    put(engine, stream, isOn_ ? bytes * 1000 / bytesPerUs_ : 0);
  }
  void launch(const void *stream) { put(Engine::Kernels, stream, kernelNs_); }
  void record(const void *event, const void *stream) {
    const std::scoped_lock lock(mutex_);
    reached_[event] = reached_[stream];
  }
  void wait(const void *stream, const void *event) {
    const std::scoped_lock lock(mutex_);
    reached_[stream] = std::max(reached_[stream], reached_[event]);
  }
  /// Sleeps until an event or the work of a stream ends.
  void sleepUntil(const void *what) {
    uint64_t end = 0;
    {
      const std::scoped_lock lock(mutex_);
      end = reached_[what];
    }
    if (const uint64_t at = now(); isOn_ && end > at)
      std::this_thread::sleep_for(std::chrono::nanoseconds(end - at));
  }

private:
  static uint64_t now() {
    return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                     std::chrono::steady_clock::now().time_since_epoch())
                                     .count());
  }
  void put(Engine engine, const void *stream, uint64_t ns) {
    if (!isOn_)
      return;
    const std::scoped_lock lock(mutex_);
    uint64_t &free = free_[static_cast<int>(engine)], &reached = reached_[stream];
    free = reached = std::max({now(), free, reached}) + ns;
  }

  bool isOn_ = false;
  uint64_t callNs_ = 0, bytesPerUs_ = 0, kernelNs_ = 0;
  std::mutex calls_, mutex_;                 ///< mutex_ guards reached_ and free_
  std::map<const void *, uint64_t> reached_; ///< end of a stream's work or of an event, in ns
  uint64_t free_[3] = {0, 0, 0};             ///< time at which an engine is free, in ns
};

} // namespace mpf::fake

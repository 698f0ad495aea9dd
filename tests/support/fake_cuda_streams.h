// The streams and events of the fake driver of a GPU (fake_cuda.cpp): its log, and the rules of a
// recording that spreads over several streams. Thread-safe.
//
// The rules are those of cuStreamBeginCapture. A stream that waits for an event of the recording is
// recorded too. A recorded stream may wait for other events only with CU_EVENT_WAIT_EXTERNAL. At
// the end of the recording, the first stream must have waited for an event behind all calls of each
// other stream.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <set>
#include <string>

namespace mpf::fake {

inline uint64_t addressOf(const void *what) { return reinterpret_cast<uintptr_t>(what); }

/// Writes a line of the log: "WHAT STREAM MORE".
inline void note(const std::string &what, const void *stream, const std::string &more = "") {
  static std::FILE *const log = [] {
    const char *path = std::getenv("MPF_FAKE_CUDA_LOG");
    return path != nullptr ? std::fopen(path, "w") : nullptr;
  }();
  if (log == nullptr)
    return;
  std::fprintf(log, "%s %llu%s%s\n", what.c_str(),
               static_cast<unsigned long long>(addressOf(stream)), more.empty() ? "" : " ",
               more.c_str());
  std::fflush(log);
}

class Recording {
public:
  static constexpr int kUnjoined = 904, kIsolated = 905;

  void begin(const void *stream) {
    const std::scoped_lock lock(mutex_);
    first_ = stream;
    open_ = {{stream, false}};
    events_.clear();
  }
  /// Ends the recording. Returns the code that a driver returns.
  int end() {
    const std::scoped_lock lock(mutex_);
    int code = 0;
    for (const auto &[stream, isOpen] : open_)
      code = isOpen && stream != first_ ? kUnjoined : code;
    open_.clear();
    events_.clear();
    return code;
  }
  /// Notes that a call is put on the stream.
  void put(const void *stream) {
    const std::scoped_lock lock(mutex_);
    const auto found = open_.find(stream);
    if (found == open_.end())
      return;
    found->second = true;
    for (const auto &[event, of] : events_)
      if (of == stream)
        stale_.insert(event);
  }
  void recordEvent(const void *event, const void *stream) {
    const std::scoped_lock lock(mutex_);
    stale_.erase(event);
    events_.erase(event);
    if (open_.contains(stream))
      events_[event] = stream;
  }
  int waitEvent(const void *stream, const void *event, bool isExternal) {
    const std::scoped_lock lock(mutex_);
    const auto found = events_.find(event);
    const bool isRecorded = open_.contains(stream);
    if (isRecorded && isExternal)
      return 0;
    if (found == events_.end())
      return isRecorded ? kIsolated : 0;
    open_.try_emplace(stream, false);
    if (stream == first_ && !stale_.contains(event))
      open_[found->second] = false; // all of that stream is in front of it
    return 0;
  }

private:
  std::mutex mutex_;
  const void *first_ = nullptr;
  std::map<const void *, bool> open_; ///< by stream: whether it has calls that no stream waits for
  std::map<const void *, const void *> events_; ///< events of the recording, with their streams
  std::set<const void *> stale_;                ///< events whose streams have got later calls
};

} // namespace mpf::fake

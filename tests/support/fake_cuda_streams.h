// What the driver of a GPU that is not there (fake_cuda.cpp) knows of streams and events: its log,
// and the rules of a recording that spreads over several streams. As cuStreamBeginCapture has them:
// a stream that waits for an event of the recording is recorded too; one that is recorded may wait
// for no other event, but with CU_EVENT_WAIT_EXTERNAL; and where the recording ends, all that the
// other streams have must be in front of an event that its first stream has waited for.
// Thread-safe.
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

/// A line of the log: "WHAT STREAM", and what else there is to say of the call.
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
  /// Returns what the driver does.
  int end() {
    const std::scoped_lock lock(mutex_);
    int code = 0;
    for (const auto &[stream, isOpen] : open_)
      code = isOpen && stream != first_ ? kUnjoined : code;
    open_.clear();
    events_.clear();
    return code;
  }
  /// Something is put on the stream.
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
  std::map<const void *, bool> open_;           ///< by stream: it has what none waits for
  std::map<const void *, const void *> events_; ///< of the recording, with their streams
  std::set<const void *> stale_;                ///< their streams have gone on since
};

} // namespace mpf::fake

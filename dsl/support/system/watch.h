// How a host program sees that a long call goes on, and ends it.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

namespace mpf {

/// The state of a long call.
struct Progress {
  std::string_view phase;      ///< "reading", "compiling", "opening" or "running"
  double seconds = 0;          ///< since the call began
  std::optional<double> share; ///< the part of a run on a CPU that is done, 0 to 1; none: unknown
};

/// Ends the calls that watch it, from any thread. Copies are the same token.
class CancelToken {
public:
  void cancel() const noexcept { isCancelled_->store(true); }
  void reset() const noexcept { isCancelled_->store(false); }
  bool isCancelled() const noexcept { return isCancelled_->load(); }

private:
  std::shared_ptr<std::atomic<bool>> isCancelled_ = std::make_shared<std::atomic<bool>>(false);
};

/// Watches calls. A call that is ended throws Error(Cancelled), within about 0.3 s; its objects are
/// as they were before. A launch of a GPU that has begun is not ended.
struct Watch {
  /// Called on the thread that made the call, at least every 50 ms; false ends the call. What it
  /// throws ends the call too and is thrown by it. Null: nothing is called.
  std::function<bool(const Progress &)> progress = {};
  std::optional<CancelToken> token = {};

  bool isEmpty() const { return !progress && !token; }
};

} // namespace mpf

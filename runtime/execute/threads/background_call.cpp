#include "runtime/execute/threads/background_call.h"

#include "dsl/support/check.h"
#include "dsl/support/system/fork_count.h"
#include "dsl/support/system/watched_call.h"

#include <exception>
#include <system_error>
#include <thread>
#include <utility>

namespace mpf {

/// The state of the call. Its address is fixed, because the thread uses it.
struct BackgroundCall::Work {
  std::function<void()> call;
  std::exception_ptr failure;
  unsigned forkCount = mpf::forkCount();
  CallState *const watched = currentCall();
  std::thread thread; ///< not joinable: the system gave no thread

  void run() noexcept {
    const CallScope scope(watched);
    try {
      call();
    } catch (...) {
      failure = std::current_exception();
    }
  }
  bool isOfParent() const { return thread.joinable() && forkCount != mpf::forkCount(); }
};

BackgroundCall::BackgroundCall(std::function<void()> call) : work_(std::make_unique<Work>()) {
  work_->call = std::move(call);
  try {
    work_->thread = std::thread([work = work_.get()] { work->run(); });
  } catch (const std::system_error &) {
    work_->run();
  }
}

BackgroundCall::BackgroundCall(BackgroundCall &&) noexcept = default;

BackgroundCall::~BackgroundCall() {
  if (!work_)
    return;
  if (work_->isOfParent()) [[maybe_unused]]
    const Work *forgotten = work_.release(); // leaked: joining its thread would hang
  else if (work_->thread.joinable())
    work_->thread.join();
}

void BackgroundCall::wait() {
  if (work_->isOfParent())
    fail(ErrorKind::Usage, "the run was started by the process before the fork, and ends there");
  const std::unique_ptr<Work> ended = std::move(work_);
  if (ended->thread.joinable())
    ended->thread.join();
  if (ended->failure)
    std::rethrow_exception(ended->failure);
}

} // namespace mpf

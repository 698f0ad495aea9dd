#include "tools/mpfc/cases/case_progress.h"

#include "tools/mpfc/process/output.h"

#include <chrono>
#include <exception>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace mpf::driver {

namespace {
constexpr std::chrono::seconds kInterval{1};
} // namespace

bool mayShowProgress(bool writesToStdout) {
  return ::isatty(STDERR_FILENO) == 1 && !(writesToStdout && ::isatty(STDOUT_FILENO) == 1);
}

CaseProgress::CaseProgress(std::optional<uint64_t> total, bool isShown) : total_(total) {
  if (!isShown)
    return;
  try {
    thread_ = std::thread([this] {
      try {
        show();
      } catch (const std::exception &) { // no memory: the answers do not need it
      }
    });
  } catch (const std::system_error &) { // the answers do not need it
  }
}

CaseProgress::~CaseProgress() {
  end();
  if (thread_.joinable())
    thread_.join();
}

void CaseProgress::end() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
  if (std::exchange(isLineThere_, false))
    clearLine();
}

void CaseProgress::show() {
  std::unique_lock lock(mutex_);
  for (uint64_t before = 0; !changed_.wait_for(lock, kInterval, [this] { return ended_; });) {
    const uint64_t done = done_;
    const std::string share = total_ && *total_ != 0
                                  ? fmt::format(" ({:.0f} %)", 100 * static_cast<double>(done) /
                                                                   static_cast<double>(*total_))
                                  : "";
    clearLine();
    say("mpfc: {} cases{}, {:.3g} rows/s", done, share,
        static_cast<double>(done - before) / static_cast<double>(kInterval.count()));
    before = done;
    isLineThere_ = true;
  }
}

} // namespace mpf::driver

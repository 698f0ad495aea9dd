#include "tools/mpfc/process/progress_line.h"

#include "tools/mpfc/process/output.h"

#include <chrono>
#include <exception>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace mpf::driver {

namespace {
constexpr std::chrono::seconds kProgressInterval{1};
} // namespace

bool mayShowProgress(When when, bool writesToStdout) {
  if (when != When::Auto)
    return when == When::Always;
  return ::isatty(STDERR_FILENO) == 1 && !(writesToStdout && ::isatty(STDOUT_FILENO) == 1);
}

ProgressLine::ProgressLine(std::function<std::string()> line, bool isShown)
    : line_(std::move(line)) {
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

ProgressLine::~ProgressLine() {
  end();
  if (thread_.joinable())
    thread_.join();
}

void ProgressLine::end() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
  eraseLine();
}

void ProgressLine::show() {
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, kProgressInterval, [this] { return ended_; })) {
    sayLine(line_());
  }
}

} // namespace mpf::driver

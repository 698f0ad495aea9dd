// A line on stderr, rewritten once a second while work goes on.
#pragma once

#include "tools/mpfc/options/options.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace mpf::driver {

class ProgressLine {
public:
  /// `line` makes the text, in a thread of its own, once a second from the first second on.
  /// `isShown`: whether anything is printed.
  ProgressLine(std::function<std::string()> line, bool isShown);
  ~ProgressLine();
  ProgressLine(const ProgressLine &) = delete;
  ProgressLine &operator=(const ProgressLine &) = delete;

  /// Erases the line and ends. Any thread may call it.
  void end();

private:
  void show();

  const std::function<std::string()> line_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;
  std::thread thread_;
};

/// Whether a line of progress is shown. Auto: stderr is a terminal on which the line disturbs
/// nothing that is written to stdout.
bool mayShowProgress(When when, bool writesToStdout);

} // namespace mpf::driver

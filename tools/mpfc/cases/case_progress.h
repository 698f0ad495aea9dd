// Prints once a second how many cases a run has answered, if stderr is a terminal.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>

namespace mpf::driver {

class CaseProgress {
public:
  /// `total`: the number of cases, if it is known. `isShown`: whether anything is printed.
  CaseProgress(std::optional<uint64_t> total, bool isShown);
  ~CaseProgress();
  CaseProgress(const CaseProgress &) = delete;
  CaseProgress &operator=(const CaseProgress &) = delete;

  void add(uint64_t cases) { done_ += cases; }
  /// Erases the line, before other text is printed. Any thread may call it.
  void end();

private:
  void show();

  const std::optional<uint64_t> total_;
  std::atomic<uint64_t> done_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false, isLineThere_ = false;
  std::thread thread_;
};

/// Whether stderr is a terminal on which a line of progress disturbs nothing that is written to
/// stdout.
bool mayShowProgress(bool writesToStdout);

} // namespace mpf::driver

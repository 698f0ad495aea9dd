#include "runtime/schedule/launches/launch_window.h"

#include <algorithm>
#include <utility>

namespace mpf {

namespace {

/// More launches than this hardly ever run at the same time; to look at them all would be slow.
constexpr size_t kMostUnfinished = 32;

bool overlap(const std::vector<ByteRange> &a, const std::vector<ByteRange> &b) {
  return std::any_of(a.begin(), a.end(), [&](const ByteRange &x) {
    return std::any_of(b.begin(), b.end(),
                       [&](const ByteRange &y) { return x.begin < y.end && y.begin < x.end; });
  });
}

} // namespace

WaitPoint LaunchWindow::add(LaunchUse use) {
  if (!use.reads.empty() || unfinished_.size() == kMostUnfinished) {
    addSerial(std::move(use));
    return WaitPoint::Begin;
  }
  const bool shared =
      std::any_of(unfinished_.begin(), unfinished_.end(), [&](const LaunchUse &before) {
        return overlap(use.writes, before.reads) || overlap(use.writes, before.writes);
      });
  unfinished_.push_back(std::move(use));
  return shared ? WaitPoint::Stores : WaitPoint::End;
}

void LaunchWindow::addSerial(LaunchUse use) { unfinished_.assign(1, std::move(use)); }

} // namespace mpf

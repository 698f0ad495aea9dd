#include "runtime/execute/gpu/start_times.h"

#include <array>
#include <atomic>
#include <cstdint>

namespace mpf {

namespace {

constexpr std::array<std::string_view, 8> kNames = {"driver",  "context", "wait",       "compile",
                                                    "modules", "memory",  "first copy", "end"};

using Clock = std::chrono::steady_clock;

std::array<std::atomic<int64_t>, kNames.size()> theNanoseconds{};
std::atomic<bool> hasCopied = false;

/// True if the part is measured. Copies are frequent, and a load is cheaper than an exchange.
bool isCounted(StartPart part) {
  return part != StartPart::FirstCopy || (!hasCopied && !hasCopied.exchange(true));
}

} // namespace

StartTimer::StartTimer(StartPart part) noexcept
    : part_(part), counts_(isCounted(part)), begin_(counts_ ? Clock::now() : Clock::time_point()) {}

StartTimer::~StartTimer() {
  if (counts_)
    theNanoseconds[static_cast<size_t>(part_)] +=
        std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin_).count();
}

std::vector<std::pair<std::string_view, double>> startTimes() {
  std::vector<std::pair<std::string_view, double>> times;
  for (size_t i = 0; i < kNames.size(); ++i)
    if (const int64_t ns = theNanoseconds[i]; ns != 0)
      times.emplace_back(kNames[i], 1e-3 * static_cast<double>(ns));
  return times;
}

} // namespace mpf

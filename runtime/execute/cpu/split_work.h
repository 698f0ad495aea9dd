// Divides the results of one operation into parts for the threads. Sums are never divided: one
// thread computes each result, in the same order for any number of parts.
#pragma once

#include "codegen/machine/cpu_speed.h"
#include "dsl/support/system/watched_call.h"
#include "runtime/execute/cpu/cpu_operation.h"

#include <algorithm>
#include <utility>

namespace mpf {

inline double termsNs(const CpuOperation &operation, double termNs) {
  return operation.addresses() * termNs * operation.operandCount;
}

/// Returns part `part` of `parts` of 0..count as [first, second). Large parts come first: the first
/// quarter of the parts has half of all, and later parts are ever smaller. Threads take parts in
/// order, so they end at about one time, and the set-up of parts is rare.
inline std::pair<uint64_t, uint64_t> stretchOf(uint64_t count, size_t part, size_t parts) {
  constexpr uint64_t kRounds = 4; // of 8, 4, 2 and 2 sixteenths
  static constexpr uint64_t kBegins[kRounds + 1] = {0, 8, 12, 14, 16};
  const uint64_t each = parts % kRounds == 0 && count >= 16 * parts ? parts / kRounds : 0;
  const auto begin = [&](uint64_t p) {
    if (each == 0)
      return p * (count / parts) + std::min<uint64_t>(p, count % parts);
    const uint64_t round = p / each, within = p % each;
    const auto startOf = [count](uint64_t r) {
      return count / 16 * kBegins[r] + count % 16 * kBegins[r] / 16;
    };
    const uint64_t start = startOf(round);
    return within == 0 ? start : start + (startOf(round + 1) - start) * within / each;
  };
  return {begin(part), begin(part + 1)};
}

/// Calls run(first, last) for pieces that make up [begin, end). A watched call has several, between
/// which it can be cancelled; each takes about 20 ms. `stepNs`: predicted time of one of the steps.
/// Calls done(steps) behind each piece of a watched call.
template <class Run, class Done>
void forPieces(uint64_t begin, uint64_t end, double stepNs, const Run &run, const Done &done) {
  if (currentCall() == nullptr)
    return run(begin, end);
  constexpr double kPieceNs = 2e7;
  const double most = kPieceNs / std::max(stepNs, 1e-3);
  const uint64_t piece = most < 1 ? 1 : static_cast<uint64_t>(most);
  for (uint64_t first = begin; first < end; first += std::min(piece, end - first)) {
    throwIfCancelled();
    const uint64_t count = std::min(piece, end - first);
    run(first, first + count);
    done(count);
  }
}

} // namespace mpf

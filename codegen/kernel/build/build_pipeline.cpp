// Pages in flight: cuts the sums of tiles that other builders found into pages, which are copied to
// shared memory ahead of time (NestPlan::stages). Entries in flight then take no registers, and no
// warp waits for memory inside a page.
#include "codegen/kernel/build/candidates.h"
#include "codegen/kernel/plan/interleave_lanes.h"
#include "codegen/kernel/plan/kernel_shape.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace mpf {

namespace {
constexpr size_t kBestBases = 12; ///< register tiles with threads whose pipelines are varied
constexpr uint64_t kPipelineChunks[] = {4, 8, 16, 32};
constexpr uint32_t kPipelineStages[] = {2, 3, 4};

bool overReduced(const DigitForm &form, const Axis &axis) {
  return form.digits[axis.digit.index()].reduced;
}

/// Returns the part of a candidate that a pipeline keeps, as text: all axes except those of sums.
std::string baseOf(const DigitForm &form, const NestCandidate &candidate) {
  std::string text;
  for (const Axis &axis : candidate.axes)
    if (!overReduced(form, axis))
      text += axis.name + ' ' + std::to_string(axis.extent) + ' ';
  return text;
}

/// Returns the same axes with about `chunk` terms of the sums in a page.
std::vector<Axis> sumsInPages(const DigitForm &form, const std::vector<Axis> &axes, uint64_t chunk,
                              uint64_t bodyTerms) {
  AxisDivider divider(form);
  takeSums(divider, form, chunk, bodyTerms);
  std::vector<Axis> all = divider.axes(); // of reduced digits: pages, then sums
  std::erase_if(all, [&](const Axis &axis) { return !overReduced(form, axis); });
  for (const Axis &axis : axes)
    if (!overReduced(form, axis))
      all.push_back(axis);
  std::stable_sort(all.begin(), all.end(), [&](const Axis &a, const Axis &b) {
    const auto rank = [&](const Axis &axis) { // kept page axes stand outside reduced ones
      return std::pair(axis.role, overReduced(form, axis));
    };
    return rank(a) < rank(b);
  });
  return all;
}

bool axesVary(const DigitForm &form, const std::vector<Axis> &axes, uint32_t operand,
              AxisRole role) {
  return std::any_of(axes.begin(), axes.end(), [&](const Axis &axis) {
    return axis.role == role && form.operands[operand].stridesElems[axis.digit.index()] != 0;
  });
}

/// The feed of a base: the terms of a page, the stages, and the operands that go through shared
/// memory. These are all operands that change from page to page (`all`), or only those whose
/// entries also differ from thread to thread. Other operands are read where they are used.
struct Feed {
  uint64_t chunk = 8;
  uint32_t stages = 3;
  bool all = true;
};
/// The feeds that rank a base. Register tiles over three digits have large pages, so they use the
/// first feed that fits shared memory. Other tiles only use the first feed.
constexpr Feed kUsualFeeds[] = {{}, {8, 2, true}, {4, 2, true}};

/// Returns none if no copy would be in flight.
std::optional<NestCandidate> pipelined(const DigitForm &form, const KernelOptions &options,
                                       const NestCandidate &base, const Feed &feed) {
  MPF_CHECK(base.placements.size() == form.operands.size(), "{} placements for {} operands",
            base.placements.size(), form.operands.size());
  NestCandidate candidate = base;
  candidate.axes =
      sumsInPages(form, base.axes, feed.chunk, unrolledTerms(form, options, base.axes, !feed.all));
  uint64_t pages = 1;
  for (const Axis &axis : candidate.axes)
    pages *= axis.role == AxisRole::Page ? axis.extent : 1;
  candidate.stages = feed.stages;
  bool flies = false;
  for (uint32_t i = 0; i < candidate.placements.size(); ++i)
    if (form.operands[i].packed) {
      candidate.placements[i] = Placement::Bypass; // a copy would not unpack them
    } else if (axesVary(form, candidate.axes, i, AxisRole::Page)) {
      const bool copied = feed.all || axesVary(form, candidate.axes, i, AxisRole::Thread);
      candidate.placements[i] = copied ? Placement::Shared : Placement::Bypass;
      flies |= copied;
    }
  return flies && pages >= feed.stages ? std::optional(candidate) : std::nullopt;
}

/// Returns a base with a usual pipeline, and with its lanes or interleaved ones as the judge
/// prefers.
std::optional<std::pair<double, NestCandidate>> bestLanes(const DigitForm &form,
                                                          const KernelOptions &options,
                                                          const NestCandidate &base,
                                                          const Judge &judge) {
  const bool three = tilesThreeDigits(form, base.axes);
  const auto fed =
      [&](const NestCandidate &tile) -> std::optional<std::pair<double, NestCandidate>> {
    std::optional<std::pair<double, NestCandidate>> first;
    for (const Feed &feed : kUsualFeeds) {
      if (auto candidate = pipelined(form, options, tile, feed))
        first = std::pair(judge(*candidate), *std::move(candidate));
      if (!three || (first && std::isfinite(first->first)))
        break;
    }
    return first;
  };
  auto best = fed(base);
  if (const auto interleaved = interleavedLanes(form, base.axes, options.target.warpThreads);
      best && interleaved) {
    NestCandidate other = base;
    other.axes = *interleaved;
    if (auto second = fed(other); second && second->first < best->first)
      best = std::move(second);
  }
  return best;
}
} // namespace

std::vector<NestCandidate> pipelineCandidates(const DigitForm &form, const KernelOptions &options,
                                              const std::vector<NestCandidate> &bases,
                                              const Judge &judge) {
  if (options.target.warpThreads < 32 || options.valueForm != ValueForm::Linear ||
      isIntegerType(options.type))
    return {};
  // Every base once with a usual pipeline, then the best of them with others.
  std::vector<NestCandidate> first;
  std::vector<std::pair<double, size_t>> ranked;
  std::set<std::string> seen;
  for (const NestCandidate &base : bases)
    if (base.kind == NestKind::Tile && seen.insert(baseOf(form, base)).second)
      if (auto best = bestLanes(form, options, base, judge)) {
        ranked.push_back({best->first, first.size()});
        first.push_back(std::move(best->second));
      }
  std::stable_sort(ranked.begin(), ranked.end());
  if (ranked.size() > kBestBases)
    ranked.resize(kBestBases);
  std::vector<NestCandidate> candidates;
  for (const auto &[time, i] : ranked)
    for (const uint64_t chunk : kPipelineChunks)
      for (const uint32_t stages : kPipelineStages)
        for (const bool all : {true, false})
          if (auto candidate = pipelined(form, options, first[i], {chunk, stages, all}))
            candidates.push_back(*std::move(candidate));
  return candidates;
}

} // namespace mpf

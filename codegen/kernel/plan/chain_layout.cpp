#include "codegen/kernel/plan/chain_layout.h"

#include "codegen/kernel/plan/bank_conflicts.h"
#include "codegen/kernel/plan/chain_shape.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <array>

namespace mpf {

namespace {

constexpr std::array<uint64_t, 12> kPaddings = {0, 1, 2, 3, 4, 5, 6, 8, 12, 16, 20, 24};
constexpr int kRounds = 4;        ///< greatest number of paddings of an image
constexpr double kSizeWeight = 7; ///< an image of twice the size counts as an eighth slower

std::vector<uint32_t> orderedParts(const ChainPlan &plan, size_t phase, ImageOrder order) {
  if (phase == 0)
    return pageParts(plan);
  const ChainPhase &writer = plan.phases[phase - 1], &reader = plan.phases[phase];
  const std::vector<bool> live = liveDigits(plan.form, reader.firstStep);
  std::vector<uint32_t> parts;
  const auto take = [&](const std::vector<uint32_t> &from, auto wanted) {
    for (const uint32_t part : from)
      if (live[plan.parts[part].digit.index()] && wanted(part) &&
          std::find(parts.begin(), parts.end(), part) == parts.end())
        parts.push_back(part);
  };
  const auto any = [](uint32_t) { return true; };
  if (order == ImageOrder::WriterFirst) {
    // The writer's register parts come first, and among them those in which neighbouring readers
    // differ.
    const auto held = [&](uint32_t part) {
      return std::find(writer.registerParts.begin(), writer.registerParts.end(), part) !=
             writer.registerParts.end();
    };
    take(reader.threadParts, held);
    take(writer.registerParts, any);
    take(reader.threadParts, any);
    take(writer.threadParts, any);
  } else {
    take(reader.threadParts, any);
    take(reader.registerParts, any);
  }
  return parts;
}

void addRequests(const ChainPlan &plan, const std::vector<ChainSlot> &slots,
                 const std::vector<uint64_t> &strides, uint64_t threads, uint32_t vector,
                 uint64_t perThread, const Target &target, ImageCost &cost) {
  for (uint64_t first = 0; first < threads; first += target.warpThreads) {
    const auto offsets = threadOffsets(slots, strides, first,
                                       std::min<uint64_t>(target.warpThreads, threads - first));
    const RequestCost one = requestCost(offsets, vector, elementBytes(plan.type), target);
    cost.wavefronts += perThread * one.wavefronts;
    cost.phases += perThread * one.phases;
    cost.requests += perThread;
  }
}

} // namespace

void layOutImage(ChainPlan &plan, size_t phase, ImageOrder order,
                 const std::vector<uint64_t> &paddings) {
  MPF_CHECK(phase < plan.phases.size(), "image {} of a plan of {} phases", phase,
            plan.phases.size());
  ChainPhase &at = plan.phases[phase];
  at.stridesElems.assign(plan.parts.size(), 0);
  const std::vector<uint32_t> parts = orderedParts(plan, phase, order);
  MPF_CHECK(paddings.size() <= parts.size(), "{} paddings for the {} parts of image {}",
            paddings.size(), parts.size(), phase);
  uint64_t stride = 1;
  at.allocatedElems = 1;
  for (size_t i = 0; i < parts.size(); ++i) {
    at.stridesElems[parts[i]] = stride;
    at.allocatedElems += (plan.parts[parts[i]].extent - 1) * stride;
    stride = stride * plan.parts[parts[i]].extent + (i < paddings.size() ? paddings[i] : 0);
  }
}

ImageCost imageCost(const ChainPlan &plan, size_t phase, const Target &target) {
  ImageCost cost;
  const std::vector<uint64_t> &strides = plan.phases[phase].stridesElems;
  if (phase == 0) {
    const uint32_t vector = fetchStoreVector(plan);
    MPF_CHECK(plan.fetch.vector % vector == 0, "fetches of {} entries are stored by {}",
              plan.fetch.vector, vector);
    uint64_t perThread = plan.fetch.vector / vector;
    for (const ChainSlot &slot : plan.fetch.loopSlots)
      perThread *= slot.extent;
    addRequests(plan, plan.fetch.threadSlots, strides, fetchThreads(plan), vector, perThread,
                target, cost);
  } else {
    const ChainPhase &writer = plan.phases[phase - 1];
    const uint32_t vector = writeVector(plan, phase - 1);
    const uint64_t written = tileElems(plan, phase - 1, writer.firstStep + writer.stepCount);
    MPF_CHECK(written % vector == 0, "tiles of {} entries are written by {}", written, vector);
    addRequests(plan, threadSlots(plan, phase - 1), strides, busyThreads(plan, phase - 1), vector,
                written / vector, target, cost);
  }
  const uint32_t vector = loadVector(plan, phase);
  const uint64_t loaded = tileElems(plan, phase, plan.phases[phase].firstStep);
  MPF_CHECK(loaded % vector == 0, "tiles of {} entries are loaded by {}", loaded, vector);
  addRequests(plan, threadSlots(plan, phase), strides, plan.launch.blockThreads, vector,
              loaded / vector, target, cost);
  return cost;
}

namespace {

/// Returns the wavefronts and requests, weighted by the size of the image: a larger image counts as
/// a little slower, because it takes room from other blocks.
double imageScore(ChainPlan &plan, size_t phase, ImageOrder order,
                  const std::vector<uint64_t> &paddings, const Target &target) {
  layOutImage(plan, phase, order, paddings);
  const ImageCost cost = imageCost(plan, phase, target);
  const double entries = static_cast<double>(busyThreads(plan, phase)) *
                         static_cast<double>(tileElems(plan, phase, plan.phases[phase].firstStep));
  const double share = static_cast<double>(plan.phases[phase].allocatedElems) / entries;
  return static_cast<double>(cost.wavefronts + cost.requests) * (kSizeWeight + share);
}

/// Searches paddings by steepest descent: the best single padding, then the best second one, and so
/// on.
double searchPaddings(ChainPlan &plan, size_t phase, ImageOrder order,
                      std::vector<uint64_t> &paddings, const Target &target) {
  paddings.assign(orderedParts(plan, phase, order).size(), 0);
  double best = imageScore(plan, phase, order, paddings, target);
  for (int round = 0; round < kRounds; ++round) {
    std::vector<uint64_t> next = paddings;
    for (size_t i = 0; i + 1 < paddings.size(); ++i) {
      std::vector<uint64_t> tried = paddings;
      for (const uint64_t padding : kPaddings) {
        tried[i] = padding;
        if (const double score = imageScore(plan, phase, order, tried, target); score < best)
          best = score, next = tried;
      }
    }
    if (next == paddings)
      break;
    paddings = std::move(next);
  }
  return best;
}

} // namespace

void padImages(ChainPlan &plan, const Target &target) {
  for (size_t p = 0; p < plan.phases.size(); ++p) {
    std::vector<uint64_t> writer, reader;
    double writerScore = searchPaddings(plan, p, ImageOrder::WriterFirst, writer, target);
    if (p > 0 && searchPaddings(plan, p, ImageOrder::ReaderFirst, reader, target) < writerScore)
      layOutImage(plan, p, ImageOrder::ReaderFirst, reader);
    else
      layOutImage(plan, p, ImageOrder::WriterFirst, writer);
  }
  plan.conflictFree = isConflictFree(plan, target);
}

bool isConflictFree(const ChainPlan &plan, const Target &target) {
  for (size_t p = 0; p < plan.phases.size(); ++p) {
    const ImageCost cost = imageCost(plan, p, target);
    if (cost.wavefronts != cost.phases)
      return false;
  }
  return true;
}

} // namespace mpf

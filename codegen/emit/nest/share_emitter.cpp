#include "codegen/emit/nest/share_emitter.h"

#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

namespace {
uint64_t positionsBefore(const Staging &staging, size_t slot) {
  uint64_t before = 1;
  for (size_t i = 0; i < slot; ++i)
    before *= staging.slots[i].extent;
  return before;
}
} // namespace

ShareEmitter::ShareEmitter(const Nest &nest, const EntryEmitter &text, CodeWriter &out,
                           SiteTable &sites)
    : nest_(nest), text_(text), out_(out), sites_(sites) {
  for (size_t i = 0; i < nest.operands.size(); ++i) {
    const NestTable &table = nest.operands[i];
    if (!table.isShared())
      continue;
    FetchShare share;
    share.operand = i;
    share.staging = buildStaging(nest, table, nest.plan->segments[i]);
    if (nest.plan->stages == 1) {
      share.loadSite = addLoad(i);
      share.storeSite = addStore(i);
    }
    shares_.push_back(std::move(share));
  }
}

uint32_t ShareEmitter::addLoad(size_t operand) const {
  return sites_.add(SiteKind::GlobalLoad, fmt::format("operand {}", nest_.operands[operand].name));
}

uint32_t ShareEmitter::addStore(size_t operand) const {
  return sites_.add(SiteKind::SharedStore, fmt::format("segment {}", nest_.operands[operand].name),
                    nest_.plan->segments[operand].conflictFree);
}

/// "threadIdx.x / 4 % 16": the thread part of a slot's index.
std::string ShareEmitter::threadIndex(const FetchShare &share, size_t slot) const {
  MPF_CHECK(share.staging.even, "operand {} is not shared out evenly",
            nest_.operands[share.operand].name);
  uint64_t before = 1;
  for (size_t i = 0; i < slot; ++i)
    before *= share.staging.slots[i].threadExtent;
  const uint64_t extent = share.staging.slots[slot].threadExtent;
  if (extent == 1)
    return "0";
  std::string text = "threadIdx.x";
  if (before > 1)
    text += fmt::format(" / {}", before);
  if (before * extent < nest_.plan->launch.blockThreads)
    text += fmt::format(" % {}", extent);
  return text;
}

void ShareEmitter::declarePointers() {
  const std::string &type = text_.ops().type;
  for (const FetchShare &share : shares_) {
    const NestTable &table = nest_.operands[share.operand];
    LinearAddress from, to;
    for (size_t axis : nest_.blockAxes)
      from.add(nest_.axes[axis].name, table.globalStrides[axis]);
    to.add(std::to_string(table.offsetElems), 1);
    for (size_t slot = 0; share.staging.even && slot < share.staging.slots.size(); ++slot) {
      from.add(threadIndex(share, slot), share.staging.slots[slot].globalStride);
      to.add(threadIndex(share, slot), share.staging.slots[slot].sharedStride);
    }
    out_.line("{} {}From = {};", text_.pointerType(table.packed), table.name,
              pointerText(table.name, from));
    out_.line("{} *const {}To = {};", type, table.name, pointerText("shared", to));
  }
}

size_t ShareEmitter::openBusy(const FetchShare &share) const {
  if (share.staging.busyThreads >= nest_.plan->launch.blockThreads)
    return 0;
  out_.open(fmt::format("if (threadIdx.x < {})", share.staging.busyThreads));
  return 1;
}

size_t ShareEmitter::openLoops(const FetchShare &share, EntryEmitter &text,
                               uint64_t mostVectors) const {
  const Staging &staging = share.staging;
  size_t opened = openBusy(share);
  std::vector<uint64_t> unrolls;
  for (const StagingSlot &place : staging.slots) {
    MPF_CHECK(place.loopExtent() > 0 && place.extent % place.threadExtent == 0,
              "{} values of {} in threads", place.threadExtent, place.extent);
    uint64_t unroll = std::clamp<uint64_t>(mostVectors, 1, place.loopExtent());
    while (place.loopExtent() % unroll != 0)
      --unroll;
    unrolls.push_back(unroll);
    mostVectors /= place.loopExtent();
  }
  for (size_t slot = staging.slots.size(); slot-- > 0;) {
    if (staging.slots[slot].loopExtent() == 1)
      continue;
    text.openCounted(loopName(share, slot), staging.slots[slot].loopExtent(), unrolls[slot]);
    ++opened;
  }
  return opened;
}

std::string ShareEmitter::loopName(const FetchShare &share, size_t slot) const {
  return fmt::format("{}{}", nest_.axes[share.staging.slots[slot].axis].name, slot);
}

std::string ShareEmitter::positionIndex(const FetchShare &share, size_t slot) const {
  return fmt::format("position / {} % {}", positionsBefore(share.staging, slot),
                     share.staging.slots[slot].extent);
}

IndexNames ShareEmitter::slotNames(const FetchShare &share) const {
  IndexNames names(nest_);
  for (size_t axis = 0; axis < nest_.axes.size(); ++axis)
    if (nest_.operands[share.operand].inSegment(axis))
      names.set(axis, "0");
  std::vector<LinearAddress> indices(nest_.axes.size());
  for (size_t slot = 0; slot < share.staging.slots.size(); ++slot) {
    const StagingSlot &place = share.staging.slots[slot];
    LinearAddress &index = indices[place.axis];
    if (share.staging.even) {
      index.add(threadIndex(share, slot), place.axisStep);
      if (place.loopExtent() > 1)
        index.add(loopName(share, slot), place.axisStep * place.threadExtent);
    } else {
      index.add(positionIndex(share, slot), place.axisStep);
    }
  }
  for (size_t axis = 0; axis < indices.size(); ++axis)
    if (!indices[axis].empty())
      names.set(axis, fmt::format("({})", indices[axis].text()));
  return names;
}

} // namespace mpf

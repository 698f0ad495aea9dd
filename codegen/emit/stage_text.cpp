#include "codegen/emit/stage_text.h"

#include "codegen/kernel/kernel_shape.h"

#include <algorithm>

namespace mpf {

StageText::StageText(const Nest &nest, NestText &text, CodeWriter &out, const ShareText &shares)
    : nest_(nest), text_(text), out_(out), shares_(shares) {}

bool StageText::inRegisters(const Share &share) const {
  return share.staging.even && share.staging.vectorsPerThread() *
                                       nest_.operands[share.operand].fetchVector *
                                       elementBytes(nest_.plan->type) <=
                                   kHeldBytes;
}

std::string StageText::sourceText(const Share &share) const {
  const NestTable &table = nest_.operands[share.operand];
  LinearText page;
  for (size_t i = 0; i < nest_.pages; ++i)
    page.add(nest_.axes[nest_.loops[i]].name, table.globalStrides[nest_.loops[i]]);
  return page.empty() ? "" : page.text();
}

void StageText::load(const Share &share, const std::string &flat, const std::string &offset,
                     const std::string &guard) {
  const NestTable &table = nest_.operands[share.operand];
  text_.loadEntries({share.loadSite, fmt::format("{}From[{}]", table.name, offset),
                     fmt::format("{}Fetch", table.name), flat, table.fetchVector, guard,
                     table.name});
}

void StageText::store(const Share &share, const std::string &flat, const std::string &offset) {
  const NestTable &table = nest_.operands[share.operand];
  if (share.staging.vectorStore) {
    const std::string type = text_.vectorType(table.fetchVector);
    const std::string from = flat == "0" ? std::string() : fmt::format(" + {}", flat);
    out_.line("MPF_ST({}, MPF_VEC({}, {}To[{}]), mpfPack<{}>({}Fetch{}));", share.storeSite, type,
              table.name, offset, type, table.name, from);
    return;
  }
  for (uint32_t lane = 0; lane < table.fetchVector; ++lane) {
    const std::string to = std::to_string(share.staging.entryOffsets[lane]);
    out_.line("MPF_ST({}, {}To[{}], {}Fetch[{}]);", share.storeSite, table.name,
              LinearText().add(offset, 1).add(to, 1).text(), table.name,
              LinearText().add(flat, 1).add(std::to_string(lane), 1).text());
  }
}

/// Values that are not held in registers are not all loaded before the first is stored: the loops
/// are unrolled only as far as copiedBytes() go.
size_t StageText::openShare(const Share &share) {
  uint64_t room = UINT64_MAX;
  if (!inRegisters(share))
    room = copiedBytes(*nest_.plan, nest_.plan->segments[share.operand]) /
           elementBytes(nest_.plan->type) / nest_.operands[share.operand].fetchVector;
  return shares_.openLoops(share, text_, room);
}

void StageText::fetch(const Share &share) {
  const NestTable &table = nest_.operands[share.operand];
  if (inRegisters(share))
    out_.line("{} {}Fetch[{}];", text_.ops().type, table.name,
              share.staging.vectorsPerThread() * table.fetchVector);
  const size_t opened = openShare(share);
  LinearText offset, flat, to;
  offset.add(sourceText(share), sourceText(share).empty() ? 0 : 1);
  uint64_t stride = table.fetchVector;
  for (size_t slot = 0; slot < share.staging.slots.size(); ++slot) {
    const StagingSlot &place = share.staging.slots[slot];
    if (place.loopExtent() == 1)
      continue;
    offset.add(shares_.loopName(share, slot), place.threadExtent * place.globalStride);
    flat.add(shares_.loopName(share, slot), stride);
    to.add(shares_.loopName(share, slot), place.threadExtent * place.sharedStride);
    stride *= place.loopExtent();
  }
  const std::string guard = guardText(nest_, table, shares_.slotNames(share));
  if (inRegisters(share)) {
    load(share, flat.text(), offset.text(), guard);
  } else {
    out_.line("{} {}Fetch[{}];", text_.ops().type, table.name, table.fetchVector);
    load(share, "0", offset.text(), guard);
    store(share, "0", to.text());
  }
  for (size_t i = 0; i < opened; ++i)
    out_.close();
}

void StageText::place(const Share &share) {
  const NestTable &table = nest_.operands[share.operand];
  const size_t opened = openShare(share);
  LinearText offset, flat;
  uint64_t stride = table.fetchVector;
  for (size_t slot = 0; slot < share.staging.slots.size(); ++slot) {
    const StagingSlot &place = share.staging.slots[slot];
    if (place.loopExtent() == 1)
      continue;
    offset.add(shares_.loopName(share, slot), place.threadExtent * place.sharedStride);
    flat.add(shares_.loopName(share, slot), stride);
    stride *= place.loopExtent();
  }
  store(share, flat.text(), offset.text());
  for (size_t i = 0; i < opened; ++i)
    out_.close();
}

/// Threads that do not divide evenly: each position is taken apart as it comes. Batches of loads
/// are under way before the first of them is stored: kCopiedBytes with their addresses.
void StageText::copyUneven(const Share &share) {
  const NestTable &table = nest_.operands[share.operand];
  const uint64_t threads = nest_.plan->launch.blockThreads;
  const uint64_t rounds = (share.staging.positions + threads - 1) / threads;
  const uint64_t held = kCopiedBytes / 2 / elementBytes(nest_.plan->type) / table.fetchVector;
  const uint64_t batch = std::clamp<uint64_t>(held, 1, rounds);
  const bool looped = batch < rounds;
  if (looped) {
    out_.directive("#pragma unroll 1");
    out_.open(fmt::format("for (unsigned first = threadIdx.x; first < {}; first += {})",
                          share.staging.positions, threads * batch));
  } else {
    out_.open("");
  }
  LinearText from, to;
  from.add(sourceText(share), sourceText(share).empty() ? 0 : 1);
  for (size_t slot = 0; slot < share.staging.slots.size(); ++slot) {
    const std::string index = shares_.positionIndex(share, slot);
    from.add(index, share.staging.slots[slot].globalStride);
    to.add(index, share.staging.slots[slot].sharedStride);
  }
  const std::string flat = LinearText().add("round", table.fetchVector).text();
  const auto openRound = [&] {
    text_.openUnrolled("round", batch);
    out_.line("const unsigned position = {} + round * {};", looped ? "first" : "threadIdx.x",
              threads);
    out_.open(fmt::format("if (position < {})", share.staging.positions));
  };
  out_.line("{} {}Fetch[{}];", text_.ops().type, table.name, batch * table.fetchVector);
  openRound();
  load(share, flat, from.text(), guardText(nest_, table, shares_.slotNames(share)));
  out_.close();
  out_.close();
  openRound();
  store(share, flat, to.text());
  out_.close();
  out_.close();
  out_.close();
}

void StageText::refetch(size_t depth) {
  std::vector<const Share *> due;
  std::string names;
  for (const Share &share : shares_.shares())
    if (nest_.operands[share.operand].pageDepth == depth) {
      due.push_back(&share);
      names += (names.empty() ? "" : ", ") + nest_.operands[share.operand].name;
    }
  if (due.empty())
    return;
  out_.line("// refetch {}", names);
  for (const Share *share : due)
    if (inRegisters(*share))
      fetch(*share);
  // Everybody has read the old page; before the first page nobody has.
  if (depth > 0)
    out_.text("__syncthreads();");
  for (const Share *share : due) {
    if (inRegisters(*share))
      place(*share);
    else if (share->staging.even)
      fetch(*share);
    else
      copyUneven(*share);
  }
  out_.text("__syncthreads();");
}

} // namespace mpf

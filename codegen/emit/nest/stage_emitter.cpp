#include "codegen/emit/nest/stage_emitter.h"

#include "codegen/kernel/plan/kernel_shape.h"
#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

StageEmitter::StageEmitter(const Nest &nest, EntryEmitter &text, CodeWriter &out,
                           const ShareEmitter &shares)
    : nest_(nest), text_(text), out_(out), shares_(shares) {}

uint64_t StageEmitter::vectorsOf(const Share &share) const {
  const uint64_t threads = nest_.plan->launch.blockThreads;
  return share.staging.even ? share.staging.vectorsPerThread()
                            : (share.staging.positions + threads - 1) / threads;
}

bool StageEmitter::inRegisters(const Share &share) const {
  return vectorsOf(share) * nest_.operands[share.operand].fetchVector *
             elementBytes(nest_.plan->type) <=
         kHeldBytes;
}

std::string StageEmitter::sourceText(const Share &share) const {
  const NestTable &table = nest_.operands[share.operand];
  LinearAddress page;
  for (size_t i = 0; i < nest_.pages; ++i)
    page.add(nest_.axes[nest_.loops[i]].name, table.globalStrides[nest_.loops[i]]);
  return page.empty() ? "" : page.text();
}

void StageEmitter::declare(const Share &share, uint64_t vectors) {
  const NestTable &table = nest_.operands[share.operand];
  out_.line("{} {}Fetch[{}];", text_.ops().type, table.name, vectors * table.fetchVector);
}

void StageEmitter::vector(const Share &share, const Step &step, const std::string &flat,
                          const std::string &from, const std::string &to) {
  const NestTable &table = nest_.operands[share.operand];
  const EntryLoad load{{share.loadSite, table.name + "From", from, table.packed},
                       fmt::format("{}Fetch", table.name),
                       flat,
                       table.fetchVector,
                       guardText(nest_, table, shares_.slotNames(share)),
                       table.name};
  if (step.load)
    text_.loadEntries(load);
  if (step.convert && !table.packed)
    text_.convertEntries(load);
  if (step.store)
    store(share, flat, to);
}

void StageEmitter::store(const Share &share, const std::string &flat, const std::string &offset) {
  const NestTable &table = nest_.operands[share.operand];
  if (share.staging.vectorStore) {
    const std::string type = text_.vectorType(table.fetchVector);
    const std::string from = flat == "0" ? std::string() : fmt::format(" + {}", flat);
    out_.line("MPF_ST({}, MPF_VEC({}, {}To[{}]), mpfPack<{}>({}Fetch{}));", share.storeSite, type,
              table.name, offset, type, table.name, from);
    return;
  }
  MPF_CHECK(share.staging.entryOffsets.size() == table.fetchVector,
            "{}: {} places for vectors of {}", table.name, share.staging.entryOffsets.size(),
            table.fetchVector);
  for (uint32_t lane = 0; lane < table.fetchVector; ++lane) {
    const std::string to = std::to_string(share.staging.entryOffsets[lane]);
    out_.line("MPF_ST({}, {}To[{}], {}Fetch[{}]);", share.storeSite, table.name,
              LinearAddress().add(offset, 1).add(to, 1).text(), table.name,
              LinearAddress().add(flat, 1).add(std::to_string(lane), 1).text());
  }
}

/// Prints one step for every vector that a thread holds.
void StageEmitter::walk(const Share &share, const Step &step) {
  if (share.staging.even)
    walkEven(share, step);
  else
    walkUneven(share, {vectorsOf(share)}, step);
}

/// Prints `step` for an even share. If its values are not held in registers, each vector lies at 0.
/// Then the loops are unrolled only up to copiedBytes(), so that not all vectors are loaded before
/// the first is stored.
void StageEmitter::walkEven(const Share &share, const Step &step) {
  const NestTable &table = nest_.operands[share.operand];
  const bool held = inRegisters(share);
  const uint64_t room = held ? UINT64_MAX
                             : copiedBytes(*nest_.plan, nest_.plan->segments[share.operand]) /
                                   elementBytes(nest_.plan->type) / table.fetchVector;
  const size_t opened = shares_.openLoops(share, text_, room);
  if (!held)
    declare(share, 1);
  LinearAddress from, flat, to;
  from.add(sourceText(share), sourceText(share).empty() ? 0 : 1);
  uint64_t stride = table.fetchVector;
  for (size_t slot = 0; slot < share.staging.slots.size(); ++slot) {
    const StagingSlot &place = share.staging.slots[slot];
    if (place.loopExtent() == 1)
      continue;
    const std::string index = shares_.loopName(share, slot);
    from.add(index, place.threadExtent * place.globalStride);
    flat.add(index, stride);
    to.add(index, place.threadExtent * place.sharedStride);
    stride *= place.loopExtent();
  }
  MPF_CHECK(stride == vectorsOf(share) * table.fetchVector,
            "{}: loops over {} entries of a thread's {}", table.name, stride,
            vectorsOf(share) * table.fetchVector);
  vector(share, step, held ? flat.text() : "0", from.text(), to.text());
  for (size_t i = 0; i < opened; ++i)
    out_.close();
}

/// Prints a step of an uneven share, whose threads do not divide evenly into the slots: the indices
/// are computed for each position. If there are fewer positions than threads, some threads load the
/// last position again, because a condition would be a branch.
void StageEmitter::walkUneven(const Share &share, const InFlight &loads, const Step &step) {
  const NestTable &table = nest_.operands[share.operand];
  const uint64_t threads = nest_.plan->launch.blockThreads, positions = share.staging.positions;
  const bool beyond = vectorsOf(share) * threads > positions;
  LinearAddress from, to;
  from.add(sourceText(share), sourceText(share).empty() ? 0 : 1);
  for (size_t slot = 0; slot < share.staging.slots.size(); ++slot) {
    const std::string index = shares_.positionIndex(share, slot);
    from.add(index, share.staging.slots[slot].globalStride);
    to.add(index, share.staging.slots[slot].sharedStride);
  }
  text_.openUnrolled("round", loads.vectors);
  out_.line("const unsigned {} = {} + round * {};", beyond ? "mine" : "position", loads.first,
            threads);
  if (beyond)
    out_.line("const unsigned position = mine < {0} ? mine : {0} - 1;", positions);
  if (beyond && step.store)
    out_.open(fmt::format("if (mine < {})", positions));
  vector(share, step, LinearAddress().add("round", table.fetchVector).text(), from.text(),
         to.text());
  if (beyond && step.store)
    out_.close();
  out_.close();
}

void StageEmitter::copyEven(const Share &share) { walkEven(share, {true, text_.converts(), true}); }

/// Prints copies of an uneven share. Several loads are issued before the first is stored: they use
/// half of kCopiedBytes, the other half is for their addresses.
void StageEmitter::copyUneven(const Share &share) {
  const uint64_t threads = nest_.plan->launch.blockThreads, rounds = vectorsOf(share);
  const uint64_t held =
      kCopiedBytes / 2 / elementBytes(nest_.plan->type) / nest_.operands[share.operand].fetchVector;
  MPF_CHECK(rounds > 0, "{} threads fetch nothing of {}", threads,
            nest_.operands[share.operand].name);
  const InFlight loads{std::clamp<uint64_t>(held, 1, rounds),
                       held < rounds ? "first" : "threadIdx.x"};
  if (held < rounds) {
    out_.directive("#pragma unroll 1");
    out_.open(fmt::format("for (unsigned first = threadIdx.x; first < {}; first += {})",
                          share.staging.positions, threads * loads.vectors));
  } else {
    out_.open("");
  }
  declare(share, loads.vectors);
  walkUneven(share, loads, {true, false, false});
  if (text_.converts())
    walkUneven(share, loads, {false, true, false});
  walkUneven(share, loads, {false, false, true});
  out_.close();
}

void StageEmitter::refetch(size_t depth) {
  std::vector<const Share *> held, copied;
  std::string names;
  for (const Share &share : shares_.shares())
    if (nest_.operands[share.operand].pageDepth == depth) {
      (inRegisters(share) ? held : copied).push_back(&share);
      names += (names.empty() ? "" : ", ") + nest_.operands[share.operand].name;
    }
  if (names.empty())
    return;
  out_.line("// refetch {}", names);
  for (const Share *share : held) {
    declare(*share, vectorsOf(*share));
    walk(*share, {true, false, false});
  }
  for (const Share *share : held)
    if (text_.converts())
      walk(*share, {false, true, false});
  // All threads must have read the old page; the first page has no page before it.
  if (depth > 0)
    out_.text("__syncthreads();");
  for (const Share *share : held)
    walk(*share, {false, false, true});
  for (const Share *share : copied)
    share->staging.even ? copyEven(*share) : copyUneven(*share);
  out_.text("__syncthreads();");
}

} // namespace mpf

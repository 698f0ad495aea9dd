#include "codegen/emit/nest/pipeline_emitter.h"

#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

namespace {
constexpr uint64_t kUnrolledCopies = 16; ///< copies of one thread and segment in one unrolled body
constexpr uint64_t kManyCopies = 16;     ///< copies of one thread and page that are worth spreading
constexpr uint64_t kMostCopies = 256;    ///< more are not spread: one unrolled body has all of them
} // namespace

PipelineEmitter::PipelineEmitter(const Nest &nest, EntryEmitter &text, CodeWriter &out,
                                 const ShareEmitter &shares)
    : nest_(nest), text_(text), out_(out), shares_(shares), below_(nest.pages, 1) {
  for (size_t i = nest.pages; i-- > 0;) {
    below_[i] = pages_;
    pages_ *= nest.extents[nest.loops[i]];
  }
  spreads_ = worthSpreading();
}

bool PipelineEmitter::worthSpreading() const {
  if (nest_.plan->stages == 1 || nest_.loops.size() == nest_.pages ||
      !nest_.axes[nest_.loops[nest_.pages]].unrolled)
    return false;
  uint64_t copies = 0;
  for (const FetchShare &share : shares_.shares()) {
    if (!share.staging.even)
      return false;
    copies += lifetime(share) < pages_ ? share.staging.vectorsPerThread() : 0;
  }
  return copies >= kManyCopies && copies <= kMostCopies;
}

uint64_t PipelineEmitter::lifetime(const FetchShare &share) const {
  return nest_.plan->segments[share.operand].lifetimePages;
}

std::string PipelineEmitter::part(const PageNumber &page, uint64_t below, uint64_t extent,
                                  uint64_t count) {
  if (page.known)
    return std::to_string(page.literal / below % extent);
  std::string text = page.text;
  if (below > 1)
    text += fmt::format(" / {}", below);
  if (below * extent < count)
    text += fmt::format(" % {}", extent);
  return text;
}

PipelineEmitter::Spread PipelineEmitter::spreadOf(size_t turn) const {
  if (!spreads_)
    return {};
  const NestAxis &loop = nest_.axes[nest_.loops[nest_.pages]];
  return {loop.name, loop.extent, loop.extent, turn};
}

void PipelineEmitter::copy(const FetchShare &share, const PageNumber &page, const Spread &spread) {
  const NestTable &table = nest_.operands[share.operand];
  MPF_CHECK(!table.packed && !text_.converts(), "operand {} is copied, but not as it is",
            table.name);
  const std::string &type = text_.ops().type;
  LinearAddress from, to;
  IndexNames names = shares_.slotNames(share);
  for (size_t i = 0; i < nest_.pages; ++i) {
    const size_t axis = nest_.loops[i];
    if (!table.moves(axis))
      continue;
    const std::string index = part(page, below_[i], nest_.extents[axis], pages_);
    from.add(index, table.globalStrides[axis]);
    names.set(axis, page.known ? index : fmt::format("({})", index));
  }
  if (table.buffers > 1)
    to.add(part(page, lifetime(share), table.buffers, UINT64_MAX), table.allocatedElems);
  const bool now = page.known || lifetime(share) == 1;
  out_.open(now ? std::string() : fmt::format("if ({} % {} == 0)", page.text, lifetime(share)));
  out_.line("const {} *const {}Page = {};", type, table.name,
            pointerText(table.name + "From", from));
  out_.line("{} *const {}Into = {};", type, table.name, pointerText(table.name + "To", to));
  copyEntries(share, guardText(nest_, table, names), spread);
  out_.close();
}

/// Opens the part of a loop that one iteration does. If the iterations that are left divide the
/// loop, or the loop divides them, each iteration gets a part. Otherwise fewer iterations get the
/// whole loop.
size_t PipelineEmitter::openPart(const std::string &index, uint64_t extent, Spread &spread) {
  const uint64_t left = spread.left;
  MPF_CHECK(left > 0 && extent > 0, "{} iterations of {} copies", left, extent);
  if (left > 1 && left % extent == 0) {
    spread.left = left / extent;
    out_.line("const {} {} = {};", text_.loopType(), index,
              part({spread.step, 0, false}, spread.left, extent, spread.steps));
    return 0;
  }
  if (left == 1 || extent % left != 0) {
    text_.openUnrolled(index, extent);
    return 1;
  }
  const std::string within = index + "i";
  const std::string mine = part({spread.step, 0, false}, 1, left, spread.steps);
  text_.openUnrolled(within, extent / left);
  out_.line("const {} {} = {};", text_.loopType(), index,
            LinearAddress().add(fmt::format("({})", mine), extent / left).add(within, 1).text());
  spread.left = 1;
  return 1;
}

/// Opens the part of a share's loops that one iteration does. If the copies of a share cannot be
/// divided any more, shares take turns.
size_t PipelineEmitter::openShares(const FetchShare &share, Spread &spread) {
  const Staging &staging = share.staging;
  size_t opened = shares_.openBusy(share);
  for (size_t slot = staging.slots.size(); slot-- > 0;)
    if (const uint64_t extent = staging.slots[slot].loopExtent(); extent > 1)
      opened += openPart(shares_.loopName(share, slot), extent, spread);
  if (spread.left == 1)
    return opened;
  out_.open(fmt::format("if ({} % {} == {})", spread.step, spread.left, spread.turn % spread.left));
  return opened + 1;
}

void PipelineEmitter::copyEntries(const FetchShare &share, const std::string &guard,
                                  Spread spread) {
  const NestTable &table = nest_.operands[share.operand];
  const Staging &staging = share.staging;
  LinearAddress from, to;
  size_t opened = 0;
  if (staging.even) {
    if (spread.left == 1)
      opened = shares_.openLoops(share, text_, kUnrolledCopies);
    else
      opened = openShares(share, spread);
    for (size_t slot = 0; slot < staging.slots.size(); ++slot) {
      const StagingSlot &place = staging.slots[slot];
      if (place.loopExtent() == 1)
        continue;
      const std::string index = shares_.loopName(share, slot);
      from.add(index, place.threadExtent * place.globalStride);
      to.add(index, place.threadExtent * place.sharedStride);
    }
  } else {
    const uint64_t threads = nest_.plan->launch.blockThreads;
    const uint64_t rounds = (staging.positions + threads - 1) / threads;
    out_.directive(fmt::format("#pragma unroll {}", std::min<uint64_t>(rounds, 4)));
    out_.open(fmt::format("for (unsigned position = threadIdx.x; position < {}; position += {})",
                          staging.positions, threads));
    ++opened;
    for (size_t slot = 0; slot < staging.slots.size(); ++slot) {
      from.add(shares_.positionIndex(share, slot), staging.slots[slot].globalStride);
      to.add(shares_.positionIndex(share, slot), staging.slots[slot].sharedStride);
    }
  }
  std::string entry = fmt::format("{}Page[{}]", table.name, from.text());
  std::string place = fmt::format("{}Into[{}]", table.name, to.text());
  if (table.fetchVector > 1) {
    const std::string type = text_.vectorType(table.fetchVector);
    entry = fmt::format("MPF_VEC(const {}, {})", type, entry);
    place = fmt::format("MPF_VEC({}, {})", type, place);
  }
  const uint32_t load = shares_.addLoad(share.operand), store = shares_.addStore(share.operand);
  out_.line("MPF_COPY_{}({}, {}, {}, {}, {});", spreads_ ? "CACHED" : "ASYNC", store, place, load,
            entry, guard.empty() ? "true" : guard);
  for (size_t i = 0; i < opened; ++i)
    out_.close();
}

void PipelineEmitter::start() {
  MPF_CHECK(nest_.plan->stages > 1, "{}: no pages in flight", nest_.plan->name);
  out_.line("// the first pages");
  for (uint64_t page = 0; page + 1 < nest_.plan->stages; ++page) {
    for (const FetchShare &share : shares_.shares())
      if (page < pages_ && page % lifetime(share) == 0)
        copy(share, {"", page, true}, {});
    out_.text("MPF_COPY_COMMIT();");
  }
}

void PipelineEmitter::turn() {
  MPF_CHECK(nest_.plan->stages > 1, "{}: no pages in flight", nest_.plan->name);
  const uint64_t ahead = nest_.plan->stages - 1;
  LinearAddress page;
  for (size_t i = 0; i < nest_.pages; ++i)
    page.add(nest_.axes[nest_.loops[i]].name, below_[i]);
  out_.line("const unsigned page = {};", page.text());
  out_.line("MPF_COPY_WAIT({});", ahead - 1);
  // The copies of all threads must have landed. All threads must have read the page whose buffers
  // are filled next.
  out_.text("__syncthreads();");
  if (!spreads_) {
    startCopies();
    commit();
  }
  for (const FetchShare &share : shares_.shares()) {
    const NestTable &table = nest_.operands[share.operand];
    if (table.buffers > 1)
      out_.line("const {} *const {}Seg = {};", text_.ops().type, table.name,
                pointerText(table.name + "Buffers",
                            LinearAddress().add(part({"page", 0, false}, lifetime(share),
                                                     table.buffers, UINT64_MAX),
                                                table.allocatedElems)));
  }
}

void PipelineEmitter::startCopies() {
  const uint64_t ahead = nest_.plan->stages - 1;
  const bool more = std::any_of(shares_.shares().begin(), shares_.shares().end(),
                                [&](const FetchShare &s) { return lifetime(s) < pages_; });
  if (!more || ahead >= pages_)
    return;
  out_.open(fmt::format("if (page < {})", pages_ - ahead));
  out_.line("const unsigned ahead = page + {};", ahead);
  for (size_t i = 0; i < shares_.shares().size(); ++i)
    if (lifetime(shares_.shares()[i]) < pages_)
      copy(shares_.shares()[i], {"ahead", 0, false}, spreadOf(i));
  out_.close();
}

void PipelineEmitter::commit() { out_.text("MPF_COPY_COMMIT();"); }

} // namespace mpf

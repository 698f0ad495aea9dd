#include "codegen/emit/chain/emit_chain.h"

#include "codegen/emit/chain/chain_emitter.h"
#include "codegen/emit/nest/kernel_frame.h"
#include "codegen/kernel/plan/chain_shape.h"
#include "dsl/support/check.h"

namespace mpf {

namespace {

class ChainKernel {
public:
  explicit ChainKernel(const ChainPlan &plan) : plan_(plan), text_(plan, out_, sites_) {}

  EmittedKernel emit() {
    writeComment();
    openCudaKernel(plan_, text_.ops(), names(), out_);
    beginLoads(out_);
    // One decision serves all steps: every product and every sum of a step is part of the whole
    // operation, which the ranges of all operands together bound.
    if (text_.ops().scaled)
      writeFormDecision(plan_, wholeOperation(plan_.form), text_.ops(), names(), out_);
    out_.line("MPF_DYN_SHARED({}, image);", type());
    const bool wide = plan_.indexWidth == IndexWidth::Bits64;
    if (plan_.pagesPerBlock > 1) {
      out_.directive("#pragma unroll 1");
      out_.open(fmt::format("for (unsigned page = 0; page < {}; ++page)", plan_.pagesPerBlock));
      out_.line("const {} pageNumber = page * {}{} + blockIdx.x;",
                wide ? "unsigned long long" : "unsigned", plan_.launch.gridBlocks,
                wide ? "ull" : "u");
    } else {
      out_.line("const unsigned pageNumber = blockIdx.x;");
    }
    declareOuter();
    fetch();
    for (size_t phase = 0; phase < plan_.phases.size(); ++phase)
      runPhase(phase);
    if (plan_.pagesPerBlock > 1)
      out_.close();
    if (text_.ops().scaled)
      writeRecord(plan_, text_.ops(), out_);
    closeCudaKernel(out_);
    return {plan_.name, out_.finish(), sites_.sites()};
  }

private:
  const std::string &type() const { return text_.ops().type; }

  std::string scopeText(const DigitAccess &access) const {
    std::string text;
    for (size_t digit = 0; digit < access.stridesElems.size(); ++digit)
      if (access.stridesElems[digit] != 0)
        text += fmt::format("{}d{}", text.empty() ? "" : ", ", digit);
    return text;
  }

  std::string stepText(size_t number) const {
    const ChainStep &step = plan_.form.steps[number];
    std::string text;
    for (uint32_t f = step.firstFactor; f < step.firstFactor + step.factorCount; ++f)
      text += fmt::format("{}f{}({})", text.empty() ? "times " : " * ", f,
                          scopeText(plan_.form.factors[f]));
    for (const DigitId digit : step.reduced)
      text += fmt::format("{}{} d{}", text.empty() ? "" : ", ",
                          digit == step.reduced.front() ? "reduce" : "", digit);
    return text;
  }

  void writeComment() {
    out_.line("// chain of {} steps: result({}) from message({}) [{}]", plan_.form.steps.size(),
              scopeText(plan_.form.result), scopeText(plan_.form.message),
              semiringName(plan_.form.semiring));
    for (const ChainPart &part : plan_.parts) {
      const auto index = static_cast<uint32_t>(&part - plan_.parts.data());
      out_.line("//   {}{}: {} values by {} of d{}", part.name,
                isOuter(plan_, index) ? " (page number)" : "", part.extent, part.step, part.digit);
    }
  }

  std::vector<OperandNames> names() const {
    std::vector<OperandNames> names = {{"message", "sMessage"}};
    for (size_t f = 0; f < plan_.form.factors.size(); ++f)
      names.push_back({fmt::format("f{}", f), fmt::format("s{}", f)});
    return names;
  }

  /// Returns a text like "n / 4 % 8": the place of a number that covers `extent` values. `last` is
  /// true for the most significant place.
  static std::string placeText(const std::string &number, uint64_t below, uint64_t extent,
                               bool last) {
    std::string text = number;
    if (below > 1)
      text += fmt::format(" / {}", below);
    if (!last)
      text += fmt::format(" % {}", extent);
    return text;
  }

  void declareOuter() {
    uint64_t below = 1;
    const uint64_t pages = pageCount(plan_);
    for (size_t i = plan_.outerParts.size(); i-- > 0;) {
      const ChainPart &part = plan_.parts[plan_.outerParts[i]];
      if (part.extent > 1)
        out_.line("const {} {} = {};", text_.indexType(), part.name,
                  placeText("pageNumber", below, part.extent, below * part.extent == pages));
      below *= part.extent;
    }
  }

  /// Declares the values of a thread's slots. Threads beyond `busy` repeat the work of others,
  /// except for the stores.
  void declareThreads(const std::vector<ChainSlot> &slots, uint64_t busy,
                      const std::function<std::string(size_t)> &name) {
    uint64_t below = 1;
    for (size_t i = 0; i < slots.size(); ++i) {
      const bool last = below * slots[i].extent == busy && busy == plan_.launch.blockThreads;
      if (slots[i].extent > 1)
        out_.line("const {} {} = {};", text_.indexType(), name(i),
                  placeText("threadIdx.x", below, slots[i].extent, last));
      below *= slots[i].extent;
    }
  }

  std::string busyCondition(uint64_t busy) const {
    return busy < plan_.launch.blockThreads ? fmt::format("if (threadIdx.x < {})", busy) : "";
  }

  /// Fetches the page into image 0. All loads are issued before the first value is stored.
  void fetch() {
    const ChainFetch &fetch = plan_.fetch;
    const uint64_t busy = fetchThreads(plan_);
    const auto threadName = [](size_t i) { return fmt::format("n{}", i); };
    out_.open("");
    out_.line("// the message's page");
    declareThreads(fetch.threadSlots, busy, threadName);
    const std::vector<uint64_t> global = partStrides(plan_, plan_.form.message);
    const std::vector<uint64_t> &shared = plan_.phases.front().stridesElems;
    LinearAddress from = text_.offsetOf(plan_.outerParts, global), to;
    for (size_t i = 0; i < fetch.threadSlots.size(); ++i) {
      const ChainSlot &slot = fetch.threadSlots[i];
      if (slot.extent > 1) {
        from.add(threadName(i), slot.step * global[slot.part]);
        to.add(threadName(i), slot.step * shared[slot.part]);
      }
    }
    out_.line("const {} *const from = {};", type(), pointerText("message", from));
    out_.line("{} *const to = {};", type(), pointerText("image", to));
    uint64_t rounds = 1;
    for (const ChainSlot &slot : fetch.loopSlots)
      rounds *= slot.extent;
    MPF_CHECK(busy <= plan_.launch.blockThreads, "{}: {} threads of {} fetch", plan_.name, busy,
              plan_.launch.blockThreads);
    out_.line("{} held[{}];", type(), rounds * fetch.vector);
    const uint32_t loadSite = sites_.add(SiteKind::GlobalLoad, "operand message");
    const uint32_t storeSite =
        sites_.add(SiteKind::SharedStore, "segment image", plan_.conflictFree);
    out_.open(busyCondition(busy));
    walkLoops(global, [&](const std::string &offset, const std::string &flat) {
      text_.load("held", flat, fmt::format("from[{}]", offset), fetch.vector, loadSite,
                 text_.ops().log ? "messageForm" : "");
    });
    out_.close();
    if (plan_.pagesPerBlock > 1)
      out_.line("__syncthreads(); // the page before has been read");
    out_.open(busyCondition(busy));
    const uint32_t vector = fetchStoreVector(plan_);
    MPF_CHECK(fetch.vector % vector == 0, "{}: fetches of {} entries are stored by {}", plan_.name,
              fetch.vector, vector);
    walkLoops(shared, [&](const std::string &offset, const std::string &flat) {
      for (uint32_t e = 0; e < fetch.vector; e += vector)
        text_.store(fmt::format("to[{}]", added(offset, imageOffset(e))), "held", added(flat, e),
                    vector, storeSite);
    });
    out_.close();
    out_.close();
  }

  static std::string added(const std::string &text, uint64_t number) {
    return number == 0   ? text
           : text == "0" ? std::to_string(number)
                         : fmt::format("{} + {}", text, number);
  }

  /// Returns the offset in image 0 of entry `e` of a fetched vector from its first entry.
  uint64_t imageOffset(uint64_t e) const {
    uint64_t offset = 0;
    for (const uint32_t part : pageParts(plan_)) {
      offset += e % plan_.parts[part].extent * plan_.phases.front().stridesElems[part];
      e /= plan_.parts[part].extent;
    }
    return offset;
  }

  void
  walkLoops(const std::vector<uint64_t> &strides,
            const std::function<void(const std::string &offset, const std::string &flat)> &access) {
    LinearAddress offset, flat;
    uint64_t below = plan_.fetch.vector;
    const auto &slots = plan_.fetch.loopSlots;
    for (const ChainSlot &slot : slots)
      below *= slot.extent;
    for (size_t i = slots.size(); i-- > 0;) {
      const std::string name = fmt::format("i{}", i);
      below /= slots[i].extent;
      text_.openLoop(name, slots[i].extent);
      offset.add(name, slots[i].step * strides[slots[i].part]);
      flat.add(name, below);
    }
    access(offset.text(), flat.text());
    for (size_t i = 0; i < slots.size(); ++i)
      out_.close();
  }

  void runPhase(size_t p) {
    const ChainPhase &phase = plan_.phases[p];
    const bool last = p + 1 == plan_.phases.size();
    const uint64_t busy = busyThreads(plan_, p);
    MPF_CHECK(busy <= plan_.launch.blockThreads, "{}: {} threads of {} in phase {}", plan_.name,
              busy, plan_.launch.blockThreads, p);
    const size_t end = phase.firstStep + phase.stepCount;
    out_.open("");
    const std::vector<ChainSlot> slots = threadSlots(plan_, p);
    declareThreads(slots, busy, [&](size_t i) { return plan_.parts[slots[i].part].name; });
    for (size_t s = phase.firstStep; phase.factorsFirst && s < end; ++s)
      text_.loadFactors(p, s);
    out_.line("__syncthreads();");
    const LinearAddress from = text_.offsetOf(phase.threadParts, phase.stridesElems);
    out_.line("const {} *const from = {};", type(), pointerText("image", from));
    text_.loadTile(p);
    for (size_t s = phase.firstStep; s < end; ++s) {
      out_.line("// step {}: {}", s, stepText(s));
      if (!phase.factorsFirst)
        text_.loadFactors(p, s);
      text_.computeStep(p, s);
    }
    LinearAddress to = text_.offsetOf(phase.threadParts, targetStrides(plan_, p));
    if (last) {
      std::vector<uint32_t> fixed = plan_.outerParts;
      fixed.insert(fixed.end(), phase.threadParts.begin(), phase.threadParts.end());
      to = text_.offsetOf(fixed, targetStrides(plan_, p));
    } else {
      out_.line("__syncthreads(); // all have read the image that is overwritten now");
    }
    if (last)
      beginStores(out_);
    out_.open(busyCondition(busy));
    out_.line("{} *const to = {};", type(), pointerText(last ? "result" : "image", to));
    if (last)
      text_.storeResult();
    else
      text_.writeTile(p);
    out_.close();
    out_.close();
  }

  const ChainPlan &plan_;
  CodeWriter out_;
  SiteTable sites_;
  ChainEmitter text_;
};

} // namespace

EmittedKernel emitChainCuda(const ChainPlan &plan) {
  size_t steps = 0; // the phases are consecutive and hold every step
  for (const ChainPhase &phase : plan.phases) {
    MPF_CHECK(phase.firstStep == steps, "{}: a phase begins at step {}, not {}", plan.name,
              phase.firstStep, steps);
    steps += phase.stepCount;
  }
  MPF_CHECK(steps == plan.form.steps.size() && plan.pagesPerBlock > 0,
            "{}: {} of {} steps in phases, {} pages a block", plan.name, steps,
            plan.form.steps.size(), plan.pagesPerBlock);
  return ChainKernel(plan).emit();
}

SiteObjects chainObjects(const ChainPlan &plan) {
  SiteObjects objects;
  objects.operands.emplace_back("message");
  for (size_t f = 0; f < plan.form.factors.size(); ++f)
    objects.operands.push_back(fmt::format("f{}", f));
  objects.shared.push_back({"segment image", 0, plan.launch.sharedBytes});
  return objects;
}

} // namespace mpf

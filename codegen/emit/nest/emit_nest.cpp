#include "codegen/emit/nest/emit_nest.h"

#include "codegen/emit/nest/kernel_frame.h"
#include "codegen/emit/nest/nest_emitter.h"
#include "codegen/emit/nest/pipeline_emitter.h"
#include "codegen/emit/nest/plan_comment.h"
#include "codegen/emit/nest/stage_emitter.h"
#include "codegen/emit/nest/underflow_recompute.h"
#include "codegen/kernel/plan/kernel_shape.h"
#include "dsl/support/check.h"

namespace mpf {

namespace {

class CudaKernel {
public:
  explicit CudaKernel(const NestPlan &plan)
      : plan_(plan), nest_(buildNest(plan)), entries_(nest_, out_),
        text_(nest_, entries_, out_, sites_), shares_(nest_, entries_, out_, sites_),
        stage_(nest_, entries_, out_, shares_), pipeline_(nest_, entries_, out_, shares_) {}

  EmittedKernel emit() {
    MPF_CHECK(plan_.segments.size() == plan_.form.operands.size(), "{}: {} segments, {} operands",
              plan_.name, plan_.segments.size(), plan_.form.operands.size());
    writePlanComment(nest_, out_);
    openCudaKernel(plan_, entries_.ops(), operandNames(plan_.form), out_);
    declareIndices();
    text_.declarePacked();
    declarePointers();
    beginLoads(out_);
    if (entries_.ops().scaled)
      writeFormDecision(plan_, plan_.form, entries_.ops(), operandNames(plan_.form), out_);
    enter(0);
    if (entries_.ops().scaled)
      writeRecord(plan_, entries_.ops(), out_);
    closeCudaKernel(out_);
    return {plan_.name, out_.finish(), sites_.sites()};
  }

private:
  /// Declares the indices of block and thread axes. The block and thread numbers are in mixed
  /// radix, the last axis fastest.
  void declareIndices() {
    declareIndices(nest_.blockAxes, "blockIdx.x", plan_.launch.gridBlocks);
    declareIndices(nest_.threadAxes, "threadIdx.x", plan_.launch.blockThreads);
  }

  void declareIndices(const std::vector<size_t> &axes, const char *number, uint64_t count) {
    uint64_t below = 1;
    for (size_t i = axes.size(); i-- > 0;) {
      MPF_CHECK(below <= count, "{}: axes of {} values for {} of {}", plan_.name, below, number,
                count);
      const uint64_t extent = nest_.extents[axes[i]];
      std::string index = number;
      if (below > 1)
        index += fmt::format(" / {}", below);
      if (below * extent < count)
        index += fmt::format(" % {}", extent);
      out_.line("const {} {} = {};", entries_.indexType(), nest_.axes[axes[i]].name, index);
      below *= extent;
    }
  }

  void declarePointers() {
    if (shares_.any())
      out_.line("MPF_DYN_SHARED({}, shared);", entries_.ops().type);
    shares_.declarePointers();
    for (const NestTable &table : nest_.operands) {
      LinearAddress offset;
      if (table.isShared())
        offset.add(std::to_string(table.offsetElems), 1);
      else
        addTerms(offset, table.globalStrides, nest_.blockAxes);
      addTerms(offset, table.readStrides(), nest_.threadAxes);
      out_.line("{} {}{} = {};", entries_.pointerType(table.isWords()), table.name,
                table.isShared()   ? table.buffers > 1 ? "Buffers" : "Seg"
                : paged(table) > 0 ? "Block"
                                   : "At",
                pointerText(table.isShared() ? "shared" : table.name, offset));
    }
  }

  void addTerms(LinearAddress &offset, const std::vector<uint64_t> &strides,
                const std::vector<size_t> &axes) const {
    for (size_t axis : axes)
      offset.add(nest_.axes[axis].name, strides[axis]);
  }

  /// Returns the depth at which the page of a table in global memory is known; 0 if the table has
  /// only one page.
  size_t paged(const NestTable &table) const {
    size_t depth = 0;
    for (size_t i = 0; i < nest_.pages; ++i)
      if (table.moves(nest_.loops[i]))
        depth = i + 1;
    return depth;
  }

  /// Prints everything inside the first `depth` loops.
  void enter(size_t depth) {
    for (const NestTable &table : nest_.operands)
      if (depth > 0 && !table.isShared() && paged(table) == depth) {
        LinearAddress offset;
        for (size_t i = 0; i < depth; ++i)
          offset.add(nest_.axes[nest_.loops[i]].name, table.globalStrides[nest_.loops[i]]);
        out_.line("{} {}At = {};", entries_.pointerType(table.packed), table.name,
                  pointerText(fmt::format("{}Block", table.name), offset));
      }
    if (depth == nest_.outerPages)
      declareAccumulators();
    if (plan_.stages > 1) {
      if (depth == 0)
        pipeline_.start();
      if (depth == nest_.pages)
        pipeline_.turn();
      if (depth == nest_.pages + 1 && pipeline_.spreads())
        pipeline_.startCopies();
    } else if (depth <= nest_.pages) {
      stage_.refetch(depth);
    }
    text_.hoisted(depth, depth);
    if (depth == nest_.loops.size()) {
      text_.reduce();
    } else {
      text_.openLoop(nest_.loops[depth]);
      enter(depth + 1);
      out_.close();
    }
    if (depth == nest_.pages && pipeline_.spreads())
      pipeline_.commit();
    if (depth == nest_.outerPages)
      storeResult();
  }

  void declareAccumulators() {
    const uint64_t size = nest_.result.fragment.sizeElems;
    out_.line("{} acc[{}]{};", entries_.ops().type, size,
              entries_.ops().logSum ? fmt::format(", accSum[{}]", size) : "");
    text_.startAccumulators();
  }

  void storeResult() {
    LinearAddress offset;
    addTerms(offset, nest_.result.globalStrides, nest_.blockAxes);
    for (size_t i = 0; i < nest_.outerPages; ++i)
      offset.add(nest_.axes[nest_.loops[i]].name, nest_.result.globalStrides[nest_.loops[i]]);
    addTerms(offset, nest_.result.globalStrides, nest_.threadAxes);
    beginStores(out_);
    out_.open("");
    out_.line("{} *const resultAt = {};", entries_.ops().type, pointerText("result", offset));
    const std::string condition = nest_.activeThreads < plan_.launch.blockThreads
                                      ? fmt::format("threadIdx.x < {}", nest_.activeThreads)
                                      : "";
    text_.store("resultAt", condition);
    if (entries_.ops().sumsMantissas)
      writeUnderflowRecompute(nest_, entries_, condition, out_, sites_);
    out_.close();
  }

  const NestPlan &plan_;
  Nest nest_;
  CodeWriter out_;
  SiteTable sites_;
  EntryEmitter entries_;
  NestEmitter text_;
  ShareEmitter shares_;
  StageEmitter stage_;
  PipelineEmitter pipeline_;
};

} // namespace

EmittedKernel emitNestCuda(const NestPlan &plan) { return CudaKernel(plan).emit(); }

PreambleParts nestPreamble(const NestPlan &plan) {
  PreambleParts parts = preambleParts(plan, plan.form);
  parts.copies = plan.stages > 1;
  return parts;
}

SiteObjects nestObjects(const NestPlan &plan) {
  SiteObjects objects;
  const uint64_t bytes = elementBytes(plan.type);
  for (size_t i = 0; i < plan.form.operands.size(); ++i)
    objects.operands.emplace_back(operandName(i));
  for (const Segment &segment : plan.segments)
    if (segment.placement == Placement::Shared)
      objects.shared.push_back({fmt::format("segment {}", operandName(segment.operand)),
                                segment.offsetElems * bytes,
                                segment.allocatedElems * bufferCount(plan, segment) * bytes});
  return objects;
}

} // namespace mpf

// The C++ text of a nest: blocks and threads as loops.
#include "codegen/emit/nest/emit_nest.h"

#include "codegen/emit/nest/kernel_frame.h"
#include "codegen/emit/nest/nest_emitter.h"
#include "codegen/emit/nest/plan_comment.h"
#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

namespace {

class CppKernel {
public:
  explicit CppKernel(const NestPlan &plan)
      : plan_(plan), nest_(buildNest(plan, false)),
        text_(nest_, {false, accumulatorBase(nest_)}, out_, sites_) {}

  std::string emit() {
    writePlanComment(nest_, out_);
    openKernel();
    text_.declarePacked();
    declareStorage();
    openLoops(nest_.blockAxes);
    enterPage(0);
    closeLoops(nest_.blockAxes.size());
    out_.close();
    return out_.finish();
  }

private:
  static std::string accumulatorBase(const Nest &nest) {
    return fmt::format("thread * {} + ", nest.result.fragment.sizeElems);
  }

  void openKernel() {
    std::string parameters;
    for (const NestTable &table : nest_.operands)
      parameters += table.packed ? fmt::format("const unsigned *{}, ", packedName(table.name))
                                 : fmt::format("const {} *{}, ", text_.ops().type, table.name);
    out_.open(fmt::format("extern \"C\" void {}({}{} *result)", plan_.name, parameters,
                          text_.ops().type));
  }

  /// What a block has on the device: shared memory and the accumulators of all threads.
  void declareStorage() {
    const uint64_t shared = plan_.launch.sharedBytes / elementBytes(plan_.type);
    if (shared > 0)
      out_.line("{} shared[{}];", text_.ops().type, shared);
    MPF_CHECK(nest_.result.fragment.vector == 1, "{}: C++ text with vectors of {}", plan_.name,
              nest_.result.fragment.vector);
    const uint64_t accumulators = nest_.activeThreads * nest_.result.fragment.sizeElems;
    out_.line("{} acc[{}]{};", text_.ops().type, accumulators,
              text_.ops().logSum ? fmt::format(", accSum[{}]", accumulators) : "");
  }

  void openLoops(const std::vector<size_t> &axes) {
    for (size_t axis : axes)
      text_.openUnrolled(nest_.axes[axis].name, nest_.extents[axis]);
  }
  void closeLoops(size_t count) {
    for (size_t i = 0; i < count; ++i)
      out_.close();
  }

  /// Loops over threads, each with its number.
  void openThreads() {
    openLoops(nest_.threadAxes);
    LinearAddress number;
    uint64_t stride = 1;
    for (size_t i = nest_.threadAxes.size(); i-- > 0;) {
      number.add(nest_.axes[nest_.threadAxes[i]].name, stride);
      stride *= nest_.extents[nest_.threadAxes[i]];
    }
    if (nest_.threadAxes.empty())
      out_.open("");
    out_.line("const {} thread = {};", text_.loopType(), number.text());
  }
  void closeThreads() { closeLoops(std::max<size_t>(1, nest_.threadAxes.size())); }

  /// Inside the first `depth` page loops. A barrier on the device is the end of a thread loop here.
  void enterPage(size_t depth) {
    if (depth == nest_.outerPages) {
      openThreads();
      text_.startAccumulators();
      closeThreads();
    }
    for (const NestTable &table : nest_.operands)
      if (table.isShared() && table.pageDepth == depth)
        stage(table);
    if (depth == nest_.pages) {
      openThreads();
      declarePointers();
      text_.hoisted(0, nest_.pages);
      enterSum(depth);
      closeThreads();
    } else {
      text_.openLoop(nest_.loops[depth]);
      enterPage(depth + 1);
      out_.close();
    }
    if (depth == nest_.outerPages)
      storeResult();
  }

  void enterSum(size_t depth) {
    if (depth == nest_.loops.size())
      return text_.reduce();
    text_.openLoop(nest_.loops[depth]);
    text_.hoisted(depth + 1, depth + 1);
    enterSum(depth + 1);
    out_.close();
  }

  void stage(const NestTable &table) {
    MPF_CHECK(table.isShared(), "operand {} is not staged", table.name);
    out_.line("// refetch {}", table.name);
    size_t opened = 0;
    LinearAddress from, to;
    to.add(std::to_string(table.offsetElems), 1);
    for (size_t axis = 0; axis < nest_.axes.size(); ++axis) {
      if (!table.moves(axis))
        continue;
      if (table.inSegment(axis)) {
        text_.openUnrolled(nest_.axes[axis].name, nest_.extents[axis]);
        ++opened;
      }
      from.add(nest_.axes[axis].name, table.globalStrides[axis]);
      to.add(nest_.axes[axis].name, table.sharedStrides[axis]);
    }
    const std::string guard = guardText(nest_, table, IndexNames(nest_));
    const std::string entry = text_.entryText({0, table.name, from.text(), table.packed});
    out_.line("shared[{}] = {};", to.text(),
              guard.empty() ? entry
                            : fmt::format("{} ? {} : {}", guard, entry, text_.ops().identity()));
    closeLoops(opened);
  }

  void declarePointers() {
    for (const NestTable &table : nest_.operands) {
      LinearAddress offset;
      if (table.isShared())
        offset.add(std::to_string(table.offsetElems), 1);
      for (size_t axis = 0; axis < nest_.axes.size(); ++axis) {
        const AxisRole role = nest_.axes[axis].role;
        if (role != AxisRole::Register && role != AxisRole::Sum)
          offset.add(nest_.axes[axis].name, table.readStrides()[axis]);
      }
      out_.line("{} {}{} = {};", text_.pointerType(table.isWords()), table.name,
                table.isShared() ? "Seg" : "At",
                pointerText(table.isShared() ? "shared" : table.name, offset));
    }
  }

  void storeResult() {
    LinearAddress offset;
    for (size_t axis = 0; axis < nest_.axes.size(); ++axis)
      if (nest_.axes[axis].role != AxisRole::Register)
        offset.add(nest_.axes[axis].name, nest_.result.globalStrides[axis]);
    openThreads();
    out_.line("{} *const resultAt = {};", text_.ops().type, pointerText("result", offset));
    text_.store("resultAt", "");
    closeThreads();
  }

  const NestPlan &plan_;
  Nest nest_;
  CodeWriter out_;
  SiteTable sites_;
  NestEmitter text_;
};

} // namespace

std::string emitNestCpp(const NestPlan &plan) { return CppKernel(plan).emit(); }

} // namespace mpf

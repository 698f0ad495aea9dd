#include "codegen/plan/passes/pass_order_operations.h"

#include "codegen/plan/program/program_edit.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <algorithm>
#include <span>

namespace mpf {

namespace {

/// The children of each operation in the best order: the operations whose results it reads.
class Subtrees {
public:
  explicit Subtrees(const TableProgram &program);
  std::span<const OpId> children(OpId id) const {
    return std::span(children_).subspan(first_[id.index()],
                                        first_[id.index() + 1] - first_[id.index()]);
  }

private:
  std::vector<size_t> first_;  ///< by operation, in children_
  std::vector<OpId> children_; ///< one list: programs have thousands of operations
};

Subtrees::Subtrees(const TableProgram &program) : first_(program.operations.size() + 1, 0) {
  std::vector<uint64_t> peaks(program.operations.size(), 0); ///< most entries while a subtree runs
  const auto resultElems = [&program](OpId id) {
    return program.table(program.operation(id).result).sizeElems;
  };
  // Operands come from earlier operations, so one pass in execution order is bottom up.
  for (size_t i = 0; i < peaks.size(); ++i) {
    for (const TableId id : program.operations[i].operands)
      if (!program.table(id).isInput())
        children_.push_back(program.table(id).producer);
    first_[i + 1] = children_.size();
    const std::span<OpId> own = std::span(children_).subspan(first_[i]);
    // A child frees peak - result entries again; the most is freed before others hold results.
    const auto freesMore = [&](OpId a, OpId b) {
      return peaks[a.index()] - resultElems(a) > peaks[b.index()] - resultElems(b);
    };
    if (!std::ranges::is_sorted(own, freesMore)) // std::stable_sort allocates
      std::stable_sort(own.begin(), own.end(), freesMore);
    uint64_t held = 0;
    for (const OpId child : own) {
      peaks[i] = std::max(peaks[i], saturatingAdd(held, peaks[child.index()]));
      held = saturatingAdd(held, resultElems(child));
    }
    peaks[i] = std::max(peaks[i], saturatingAdd(held, resultElems(OpId{i})));
  }
}

} // namespace

void passOrderOperations(TableProgram &program) {
  const Subtrees trees(program);
  std::vector<OpId> execution;
  struct Frame {
    OpId operation;
    size_t nextChild = 0;
  };
  // An explicit stack: a chain of 100,000 variables is as deep as that.
  for (const ProgramOutput &output : program.outputs) {
    MPF_CHECK(!program.table(output.table).isInput(), "output {} is an input", output.name);
    std::vector<Frame> stack{{program.table(output.table).producer}};
    while (!stack.empty()) {
      Frame &top = stack.back();
      const std::span<const OpId> children = trees.children(top.operation);
      if (top.nextChild < children.size()) {
        const OpId child = children[top.nextChild++];
        MPF_CHECK(child.index() < top.operation.index(),
                  "operation {} reads the result of the later {}", top.operation, child);
        stack.push_back({child});
      } else {
        execution.push_back(top.operation);
        stack.pop_back();
      }
    }
  }
  MPF_CHECK(execution.size() == program.operations.size(),
            "{} of {} operations are reached from the outputs", execution.size(),
            program.operations.size());
  compactProgram(program, execution);
}

} // namespace mpf

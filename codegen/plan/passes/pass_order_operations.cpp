#include "codegen/plan/passes/pass_order_operations.h"

#include "codegen/plan/program/program_edit.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <algorithm>

namespace mpf {

namespace {

/// An operation's subtree: the most entries in memory while it runs, and its children in the best
/// order.
struct Subtree {
  uint64_t peakElems = 0;
  std::vector<OpId> children;
};

std::vector<Subtree> subtrees(const TableProgram &program) {
  std::vector<Subtree> trees(program.operations.size());
  const auto resultElems = [&program](OpId id) {
    return program.table(program.operation(id).result).sizeElems;
  };
  // Operands come from earlier operations, so one pass in execution order is bottom up.
  for (size_t i = 0; i < trees.size(); ++i) {
    Subtree &tree = trees[i];
    for (const TableId id : program.operations[i].operands)
      if (!program.table(id).isInput())
        tree.children.push_back(program.table(id).producer);
    // A child frees peak - result entries again; the most is freed before others hold results.
    std::stable_sort(tree.children.begin(), tree.children.end(), [&](OpId a, OpId b) {
      return trees[a.index()].peakElems - resultElems(a) >
             trees[b.index()].peakElems - resultElems(b);
    });
    uint64_t held = 0;
    for (const OpId child : tree.children) {
      tree.peakElems =
          std::max(tree.peakElems, saturatingAdd(held, trees[child.index()].peakElems));
      held = saturatingAdd(held, resultElems(child));
    }
    tree.peakElems = std::max(tree.peakElems, saturatingAdd(held, resultElems(OpId{i})));
  }
  return trees;
}

} // namespace

void passOrderOperations(TableProgram &program) {
  const std::vector<Subtree> trees = subtrees(program);
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
      const auto &children = trees[top.operation.index()].children;
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

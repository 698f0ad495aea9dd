#include "codegen/plan/program/loop_dependencies.h"

#include "dsl/support/bits.h"
#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

void LoopDependencies::note(const TableProgram &program, const SliceLevels &levels) {
  if (levels.count() == 0)
    return;
  ended_.resize(program.tables.size(), 0);
  for (; noted_ < program.operations.size(); ++noted_) {
    const Operation &operation = program.operations[noted_];
    uint64_t &ended = ended_[operation.result.index()];
    for (const TableId id : operation.operands)
      ended |= ended_[id.index()];
    const uint32_t loop = levels.ofOperation(operation);
    MPF_CHECK(loop > 0 || !levels.accumulates(operation),
              "operation {} adds up slices outside of all loops", noted_);
    add(loop, ended, levels.tree());
    if (levels.accumulates(operation))
      ended |= uint64_t{1} << (loop - 1);
  }
}

void LoopDependencies::add(uint32_t loop, uint64_t ended, const LoopTree &tree) {
  growTo(tree);
  for (; ended != 0 && loop > 0; loop = tree.parent(loop))
    needs_[loop] |= ended & ~within_[loop];
}

void LoopDependencies::growTo(const LoopTree &tree) {
  for (size_t loop = std::max<size_t>(1, needs_.size()); loop <= tree.count(); ++loop) {
    needs_.resize(loop + 1, 0);
    within_.resize(loop + 1, 0);
    for (uint32_t around = static_cast<uint32_t>(loop); around > 0; around = tree.parent(around))
      within_[around] |= uint64_t{1} << (loop - 1);
  }
}

bool LoopDependencies::reaches(uint64_t sums, uint32_t loop) const {
  MPF_CHECK(loop > 0 && loop <= 64, "loop {}", loop);
  uint64_t known = 0;
  for (uint64_t next = sums; next != 0;) {
    known |= next;
    uint64_t further = 0;
    forBits(next, [&](size_t bit) { further |= of(static_cast<uint32_t>(bit) + 1); });
    next = further & ~known;
  }
  return (known >> (loop - 1) & 1) != 0;
}

} // namespace mpf

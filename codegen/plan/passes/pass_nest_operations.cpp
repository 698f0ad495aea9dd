#include "codegen/plan/passes/pass_nest_operations.h"

#include "codegen/plan/program/loop_dependencies.h"
#include "codegen/plan/program/program_edit.h"
#include "codegen/plan/program/slice_levels.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <bit>

namespace mpf {

namespace {

/// The most entries of a sum that may wait for the end of its loop.
constexpr uint64_t kSmallSumElems = 64;
constexpr size_t kNoSlot = SIZE_MAX;

class Nest {
public:
  explicit Nest(TableProgram &program)
      : program_(program), levels_(program), tree_(levels_.tree()),
        loops_(program.operations.size()), inner_(levels_.count() + 1),
        place_(levels_.count() + 1, 0), operations_(levels_.count() + 1) {
    for (size_t i = 0; i < loops_.size(); ++i)
      loops_[i] = levels_.ofOperation(program.operations[i]);
    for (const uint32_t loop : loopsInOrder())
      inner_[tree_.parent(loop)].push_back(loop);
    for (const std::vector<uint32_t> &siblings : inner_)
      for (size_t i = 0; i < siblings.size(); ++i)
        place_[siblings[i]] = i + 1;
  }

  std::vector<OpId> run() {
    findSlots();
    for (size_t i = 0; i < loops_.size(); ++i) {
      MPF_CHECK(loops_[i] < operations_.size(), "operation {} is in loop {} of {}", i, loops_[i],
                levels_.count());
      operations_[loops_[i]].push_back(i);
    }
    for (std::vector<size_t> &list : operations_)
      std::stable_sort(list.begin(), list.end(),
                       [this](size_t a, size_t b) { return slots_[a] < slots_[b]; });
    emit(0);
    MPF_CHECK(execution_.size() == loops_.size(), "{} of {} operations are in loops",
              execution_.size(), loops_.size());
    return std::move(execution_);
  }

private:
  /// Returns all loops, each after those whose sums it needs, else by number.
  std::vector<uint32_t> loopsInOrder() const {
    LoopDependencies needs;
    needs.note(program_, levels_);
    std::vector<uint32_t> order;
    uint64_t left = levels_.count() == 0 ? 0 : ~uint64_t{0} >> (kMaxLoops - levels_.count());
    while (left != 0) {
      uint32_t next = 0;
      for (uint32_t loop = 1; loop <= levels_.count() && next == 0; ++loop)
        if ((left >> (loop - 1) & 1) != 0 && (needs.of(loop) & left) == 0)
          next = loop;
      MPF_CHECK(next != 0, "{} loops need each other's sums", std::popcount(left));
      left &= ~(uint64_t{1} << (next - 1));
      order.push_back(next);
    }
    return order;
  }

  /// The place of a loop among its siblings. Slots of the loop around it: 2n is before the inner
  /// loop of place n, 2n + 1 is after it.
  size_t placeOf(uint32_t loop) const { return place_[loop]; }

  void findSlots() {
    const size_t count = loops_.size();
    std::vector<size_t> earliest(count, 0);
    slots_.assign(count, kNoSlot);
    for (size_t i = 0; i < count; ++i)
      forProducers(i, [&](size_t producer) {
        if (loops_[producer] == loops_[i])
          earliest[i] = std::max(earliest[i], earliest[producer]);
        else if (tree_.contains(loops_[i], loops_[producer]))
          earliest[i] = std::max(earliest[i],
                                 2 * placeOf(tree_.childTowards(loops_[i], loops_[producer])) + 1);
      });
    // Then each gets a slot, but none later than its readers allow.
    for (size_t i = count; i-- > 0;) {
      if (slots_[i] == kNoSlot)
        slots_[i] = isSmallSum(i) ? 2 * inner_[loops_[i]].size() + 1 : earliest[i];
      MPF_CHECK(slots_[i] >= earliest[i], "operation {} is needed at {} and possible from {} on", i,
                slots_[i], earliest[i]);
      forProducers(i, [&](size_t producer) {
        if (loops_[producer] == loops_[i])
          slots_[producer] = std::min(slots_[producer], slots_[i]);
        else if (tree_.contains(loops_[producer], loops_[i]))
          slots_[producer] = std::min(slots_[producer],
                                      2 * placeOf(tree_.childTowards(loops_[producer], loops_[i])));
      });
    }
    for (size_t i = 0; i < count; ++i)
      if (isSmallSum(i))
        slots_[i] = kNoSlot; // after all others
  }

  bool isSmallSum(size_t i) const {
    const Operation &operation = program_.operations[i];
    return levels_.accumulates(operation) &&
           program_.table(operation.result).sizeElems <= kSmallSumElems;
  }

  template <class F> void forProducers(size_t i, F f) const {
    for (const TableId id : program_.operations[i].operands)
      if (const OpId producer = program_.table(id).producer; producer.valid())
        f(producer.index());
  }

  void emit(uint32_t loop) {
    size_t next = 0;
    const std::vector<size_t> &own = operations_[loop];
    const auto upTo = [&](size_t slot) {
      for (; next < own.size() && slots_[own[next]] <= slot; ++next)
        execution_.push_back(OpId{own[next]});
    };
    for (const uint32_t inner : inner_[loop]) {
      upTo(2 * placeOf(inner));
      emit(inner); // as deep as there are loops: kMaxLoops
    }
    upTo(SIZE_MAX);
  }

  const TableProgram &program_;
  const SliceLevels levels_;
  const LoopTree &tree_;
  std::vector<uint32_t> loops_;                 ///< by operation
  std::vector<size_t> slots_;                   ///< by operation, in its loop
  std::vector<std::vector<uint32_t>> inner_;    ///< by loop: the loops directly inside, in order
  std::vector<size_t> place_;                   ///< by loop: its place among its siblings, from 1
  std::vector<std::vector<size_t>> operations_; ///< by loop, by slot
  std::vector<OpId> execution_;
};

} // namespace

void passNestOperations(TableProgram &program) {
  if (SliceLevels(program).count() > 0)
    compactProgram(program, Nest(program).run());
}

} // namespace mpf

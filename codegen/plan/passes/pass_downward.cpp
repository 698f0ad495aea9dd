#include "codegen/plan/passes/pass_downward.h"

#include "codegen/plan/program/held_variables.h"
#include "codegen/plan/program/program_edit.h"
#include "codegen/plan/program/reentered_loops.h"
#include "codegen/plan/program/slice_copies.h"
#include "codegen/plan/program/slice_levels.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <algorithm>
#include <iterator>

namespace mpf {

namespace {

class Downward {
public:
  explicit Downward(TableProgram &program)
      : program_(program), held_(heldVariables(program)), loops_(program),
        upwardCount_(program.operations.size()), asks_(upwardCount_, 0) {}

  void run() {
    noteSums();
    for (size_t i = 0; i < upwardCount_; ++i) {
      const Operation &operation = program_.operations[i];
      asks_[i] =
          std::ranges::any_of(operation.reduced, [this](VarId id) { return isAsked(id); }) ||
          std::ranges::any_of(operation.operands, [this](TableId id) { return needsMessage(id); });
    }
    pending_.push_back({program_.table(program_.outputs.front().table).producer, {}, {}});
    while (!pending_.empty()) {
      const Visit visit = pending_.back();
      pending_.pop_back();
      this->visit(visit);
    }
    MPF_CHECK(frames_.empty(), "{} loops of {} do not end", frames_.size(), program_.name);
    sortOutputs();
  }

private:
  /// One step of the walk: an operation to visit, an operand `child` of it whose message is made
  /// first, or the end of the innermost open frame.
  struct Visit {
    OpId operation;
    TableId down;  ///< downward message to the result; invalid: nothing above (a root)
    TableId child; ///< valid: make the message to this operand first, then go there
    ReenteredLoops::Region region = ReenteredLoops::kFirst; ///< region in which it is visited
    bool endsFrame = false;
  };

  /// A loop inside which marginals leave out the downward message from outside.
  struct Frame {
    uint32_t loop = 0;
    TableId down;                   ///< the message that is left out
    std::vector<ProgramOutput> own; ///< the marginals of variables inside the loop
  };

  bool isAsked(VarId id) const { return !program_.variables[id.index()].unasked; }

  /// Whether variables in the subtree of table `id` have marginals: some variable that is asked for
  /// is eliminated there.
  bool needsMessage(TableId id) const {
    const OpId producer = program_.table(id).producer;
    return producer.valid() && asks_[producer.index()];
  }

  void visit(const Visit &visit) {
    if (visit.endsFrame)
      return endFrame();
    if (visit.child.valid()) {
      const TableId down = messageTo(visit.child, visit);
      takeMarginals(visit, down);
      pending_.push_back({program_.table(visit.child).producer, down, {}, visit.region});
      return;
    }
    const Operation operation = program_.operation(visit.operation);
    if (levels().accumulates(operation))
      return enterLoop(visit, operation);
    for (const VarId variable : operation.reduced)
      if (isAsked(variable) && source(operation, variable) == kCompiledBucket) {
        std::vector<TableId> tables;
        for (const TableId id : operation.operands)
          tables.push_back(loops_.table(id, visit.region));
        if (visit.down.valid())
          tables.push_back(visit.down);
        addMarginal(variable, std::move(tables));
      }
    for (auto it = operation.operands.rbegin(); it != operation.operands.rend(); ++it)
      if (needsMessage(*it))
        pending_.push_back({visit.operation, visit.down, *it, visit.region});
  }

  /// Enters a loop: the downward message to a sum over it is also that to each of its terms.
  void enterLoop(const Visit &visit, const Operation &operation) {
    MPF_CHECK(operation.operands.size() == 1, "a sum over a loop of {} operands",
              operation.operands.size());
    const TableId child = operation.operands[0];
    if (!needsMessage(child))
      return;
    Visit inside{program_.table(child).producer, visit.down, {}, visit.region};
    if (visit.down.valid() && endsEarly(program_, operation)) {
      inside.region = loops_.enter(operation.result, visit.down, visit.region);
    } else if (visit.down.valid() && followsSum(visit.down)) {
      frames_.push_back({levels().ofOperation(operation), visit.down, {}});
      pending_.push_back({{}, {}, {}, ReenteredLoops::kFirst, true});
      inside.down = {};
    }
    pending_.push_back(inside);
  }

  /// Whether the table depends on a sum over some loop, which has to end first.
  bool followsSum(TableId id) const {
    const OpId producer = program_.table(id).producer;
    return producer.valid() && followsSum_[producer.index()];
  }

  /// Brings followsSum_ up to date with the operations that were appended.
  void noteSums() {
    while (followsSum_.size() < program_.operations.size()) {
      const Operation &operation = program_.operations[followsSum_.size()];
      const bool follows = levels().accumulates(operation) ||
                           std::any_of(operation.operands.begin(), operation.operands.end(),
                                       [this](TableId operand) { return followsSum(operand); });
      followsSum_.push_back(follows);
    }
  }

  OpId append(std::vector<TableId> tables, std::vector<VarId> reduced) {
    const Semiring semiring = program_.operations.front().semiring;
    const OpId id =
        appendOperation(program_, order(), semiring, std::move(tables), std::move(reduced));
    noteSums();
    return id;
  }

  void endFrame() {
    MPF_CHECK(!frames_.empty(), "a loop of {} ends that was not entered", program_.name);
    const Frame frame = std::move(frames_.back());
    frames_.pop_back();
    for (const ProgramOutput &output : frame.own)
      addOutput(output, {output.table, frame.down});
  }

  /// The downward message to one operand. Invalid for a scalar, whose subtree is a separate
  /// component: the rest of the network is a constant factor for it. Also invalid for an operand
  /// whose only variables are held: the factor is constant for each of their states.
  TableId messageTo(TableId child, const Visit &visit) {
    const Operation operation = program_.operation(visit.operation); // tables may be added
    const std::vector<VarId> childScope = loops_.scope(child, visit.region);
    if (std::ranges::all_of(childScope, [this](VarId id) { return isHeld(program_, id); }))
      return TableId{};
    std::vector<TableId> others;
    for (const TableId id : operation.operands)
      if (id != child)
        others.push_back(loops_.table(id, visit.region));
    if (visit.down.valid())
      others.push_back(visit.down);
    if (others.empty())
      return TableId{};
    return reduceTo(std::move(others), childScope);
  }

  /// The product of `tables`, reduced to the variables in `scope` and held ones. A sliced variable
  /// that is not in `scope` stays if its loop cannot be summed over yet. There are three reasons: a
  /// loop inside it has not ended, tables from outside the frame are missing, or the reader runs in
  /// that loop.
  TableId reduceTo(std::vector<TableId> tables, const std::vector<VarId> &scope) {
    MPF_CHECK(tables.size() <= kMaxOperands, "downward operation of {} operands, at most {}",
              tables.size(), kMaxOperands);
    std::vector<VarId> gone = scopeWithout(order(), unionScope(program_, order(), tables), scope);
    std::erase_if(gone, [this](VarId id) { return isHeld(program_, id); });
    const auto firstPlain = std::find_if(gone.begin(), gone.end(), [this](VarId id) {
      return levels().ofVariable(id) == 0;
    }); // sliced ones come first
    std::vector<VarId> sliced(gone.begin(), firstPlain);
    gone.erase(gone.begin(), firstPlain);
    OpId last = append(std::move(tables), std::move(gone));
    const uint32_t least = frames_.empty() ? 1 : frames_.back().loop;
    while (!sliced.empty()) {
      const TableId sum = program_.operation(last).result;
      const uint32_t loop = levels().ofVariable(sliced.back());
      if (loop < least || loop != levels().ofScope(program_.table(sum).scope) ||
          !canSum(program_.table(sum).scope, loop, levels().ofScope(scope)))
        break;
      last = append({sum}, {sliced.back()});
      sliced.pop_back();
    }
    return program_.operation(last).result;
  }

  /// Whether a table of `scope` can be summed over `loop` for a reader in loop `reader`. The reader
  /// must not be inside `loop`, and the sum must stay inside the innermost loop around both.
  bool canSum(const std::vector<VarId> &scope, uint32_t loop, uint32_t reader) const {
    const LoopTree &tree = levels().tree();
    uint32_t around = loop;
    while (!tree.contains(around, reader))
      around = tree.parent(around);
    const VarId *end = std::find_if(scope.data(), scope.data() + scope.size(),
                                    [&](VarId id) { return levels().ofVariable(id) == loop; });
    const uint32_t after = levels().ofScope({scope.data(), end});
    return around != loop && tree.contains(around, after);
  }

  static constexpr size_t kCompiledBucket = SIZE_MAX;

  /// The operand of the variable's bucket that gives its marginal most cheaply; kCompiledBucket:
  /// the whole bucket does.
  size_t source(const Operation &operation, VarId variable) const {
    size_t best = kCompiledBucket;
    uint64_t least = saturatingMul(operation.cost.addressCount, operation.operands.size());
    for (size_t i = 0; i < operation.operands.size(); ++i) {
      const ProgramTable &table = program_.table(operation.operands[i]);
      const bool holds =
          std::find(table.scope.begin(), table.scope.end(), variable) != table.scope.end();
      const uint64_t cost = saturatingMul(table.sizeElems, 2);
      if (needsMessage(operation.operands[i]) && holds && cost < least) {
        best = i;
        least = cost;
      }
    }
    return best;
  }

  void takeMarginals(const Visit &visit, TableId down) {
    const Operation operation = program_.operation(visit.operation);
    for (const VarId variable : operation.reduced)
      if (const size_t from = source(operation, variable);
          isAsked(variable) && from != kCompiledBucket && operation.operands[from] == visit.child) {
        const TableId child = loops_.table(visit.child, visit.region);
        addMarginal(variable, down.valid() ? std::vector{child, down} : std::vector{child});
      }
  }

  void addMarginal(VarId variable, std::vector<TableId> tables) {
    ProgramOutput output;
    output.name = program_.variables[originalOf(program_, variable).index()].name;
    output.scope = {variable};
    output.normalised = true;
    addOutput(std::move(output), std::move(tables));
  }

  /// Adds an output to the results, or to the outputs that the innermost frame still has to finish.
  void addOutput(ProgramOutput output, std::vector<TableId> tables) {
    output.table = reduceTo(std::move(tables), {output.scope.back()});
    const std::vector<VarId> &has = program_.table(output.table).scope;
    std::vector<VarId> scope;
    std::ranges::copy_if(held_, std::back_inserter(scope),
                         [&has](VarId id) { return std::ranges::find(has, id) != has.end(); });
    scope.push_back(output.scope.back());
    output.scope = std::move(scope);
    (frames_.empty() ? program_.outputs : frames_.back().own).push_back(std::move(output));
  }

  void sortOutputs() {
    const auto key = [this](const ProgramOutput &output) {
      return originalOf(program_, output.scope.back());
    };
    std::sort(program_.outputs.begin() + 1, program_.outputs.end(),
              [&key](const ProgramOutput &a, const ProgramOutput &b) { return key(a) < key(b); });
    const size_t asked = countPosteriors(program_);
    MPF_CHECK(program_.outputs.size() == asked + 1, "{} marginals for {} variables",
              program_.outputs.size() - 1, asked);
  }

  const GlobalOrder &order() const { return loops_.order(); }
  const SliceLevels &levels() const { return loops_.levels(); }

  TableProgram &program_;
  const std::vector<VarId> held_;
  ReenteredLoops loops_;
  const size_t upwardCount_;
  std::vector<char>
      asks_; ///< by upward operation: its subtree reduces a variable that is asked for
  std::vector<char> followsSum_; ///< by operation: it is or depends on a sum over a loop
  std::vector<Visit> pending_;   ///< a stack: depth first without recursion
  std::vector<Frame> frames_;    ///< open ones, the innermost last
};

} // namespace

void passDownward(TableProgram &program) {
  if (traitsOf(program.kind).goesDownward)
    Downward(program).run();
}

} // namespace mpf

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
#include <utility>

namespace mpf {

namespace {

class Downward {
public:
  explicit Downward(TableProgram &program)
      : program_(program), held_(heldVariables(program)), loops_(program),
        upwardCount_(program.operations.size()), asks_(upwardCount_, 0) {}

  void run() {
    noteSums();
    listAsked();
    placeAsked();
    for (size_t i = 0; i < upwardCount_; ++i) {
      asks_[i] = !askedAt_[i].empty();
      for (const TableId id : program_.operations[i].operands)
        if (needsMessage(id))
          asks_[i] = 1;
    }
    pending_.push_back({program_.table(program_.outputs.front().table).producer, {}, {}});
    while (!pending_.empty()) {
      const Visit visit = pending_.back();
      pending_.pop_back();
      this->visit(visit);
    }
    MPF_CHECK(frames_.empty(), "{} loops of {} do not end", frames_.size(), program_.name);
    for (size_t i = 0; i < asked_.size(); ++i) {
      MPF_CHECK(made_[i].valid(), "{} has no posterior {}", program_.name, asked_[i].name);
      addOutput(asked_[i], made_[i]);
    }
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
    TableId down;                                ///< the message that is left out
    std::vector<std::pair<size_t, TableId>> own; ///< posteriors, by number, inside the loop
  };

  /// Lists the posteriors that are asked for. Marginals ask for each variable that some operation
  /// eliminates and that is not unasked, in the order of the model.
  void listAsked() {
    asked_ = std::exchange(program_.asked, {});
    if (traitsOf(program_.kind).outputs != QueryOutputs::Posteriors)
      return;
    for (const Operation &operation : program_.operations)
      if (!levels().accumulates(operation))
        for (const VarId variable : operation.reduced)
          if (!program_.variables[variable.index()].unasked)
            asked_.push_back(
                {program_.variables[originalOf(program_, variable).index()].name, {variable}, 0});
    std::ranges::sort(asked_, {}, [this](const AskedPosterior &asked) {
      return originalOf(program_, asked.scope.back());
    });
    const size_t count = countPosteriors(program_);
    MPF_CHECK(asked_.size() == count, "{} marginals for {} variables", asked_.size(), count);
  }

  /// Finds the operation at which each posterior is taken: the one that eliminates the first
  /// variable of its scope. Its operands hold the whole scope, because one input or product did.
  void placeAsked() {
    made_.resize(asked_.size());
    std::vector<uint64_t> eliminated(program_.variables.size(), UINT64_MAX); // when
    uint64_t time = 0;
    for (const Operation &operation : program_.operations)
      for (const VarId variable : operation.reduced)
        eliminated[variable.index()] = levels().accumulates(operation) ? UINT64_MAX : time++;
    std::vector<std::vector<size_t>> firstOf(program_.variables.size());
    for (size_t i = 0; i < asked_.size(); ++i) {
      if (asked_[i].scope.empty()) {
        made_[i] = program_.outputs.front().table; // all is observed: one number
        continue;
      }
      const VarId first = *std::ranges::min_element(
          asked_[i].scope, {}, [&](VarId id) { return eliminated[id.index()]; });
      firstOf[first.index()].push_back(i);
    }
    askedAt_.resize(upwardCount_);
    for (size_t i = 0; i < upwardCount_; ++i)
      if (!levels().accumulates(program_.operations[i]))
        for (const VarId variable : program_.operations[i].reduced)
          std::ranges::copy(firstOf[variable.index()], std::back_inserter(askedAt_[i]));
  }

  /// Whether a posterior is taken in the subtree of table `id`.
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
    for (const size_t asked : askedAt_[visit.operation.index()])
      if (source(operation, asked) == kCompiledBucket) {
        std::vector<TableId> tables;
        for (const TableId id : operation.operands)
          tables.push_back(loops_.table(id, visit.region));
        if (visit.down.valid())
          tables.push_back(visit.down);
        make(asked, std::move(tables));
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
    for (const auto &[asked, table] : frame.own)
      make(asked, {table, frame.down});
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

  /// The operand of the bucket that gives a posterior most cheaply; kCompiledBucket: the whole
  /// bucket does.
  size_t source(const Operation &operation, size_t asked) const {
    size_t best = kCompiledBucket;
    uint64_t least = saturatingMul(operation.cost.addressCount, operation.operands.size());
    for (size_t i = 0; i < operation.operands.size(); ++i) {
      const ProgramTable &table = program_.table(operation.operands[i]);
      const bool holds = std::ranges::all_of(asked_[asked].scope, [&table](VarId id) {
        return std::ranges::find(table.scope, id) != table.scope.end();
      });
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
    for (const size_t asked : askedAt_[visit.operation.index()])
      if (const size_t from = source(operation, asked);
          from != kCompiledBucket && operation.operands[from] == visit.child) {
        const TableId child = loops_.table(visit.child, visit.region);
        make(asked, down.valid() ? std::vector{child, down} : std::vector{child});
      }
  }

  /// Makes the table of a posterior, or the one that the innermost frame still has to finish.
  void make(size_t asked, std::vector<TableId> tables) {
    std::vector<VarId> scope = asked_[asked].scope;
    order().sort(scope);
    const TableId table = reduceTo(std::move(tables), scope);
    if (frames_.empty())
      made_[asked] = table;
    else
      frames_.back().own.emplace_back(asked, table);
  }

  /// Adds an output: over the held variables that its table has, then those asked for.
  void addOutput(const AskedPosterior &asked, TableId table) {
    ProgramOutput output{asked.name, table, {}, true, asked.rowVariables};
    const std::vector<VarId> &has = program_.table(table).scope;
    std::ranges::copy_if(held_, std::back_inserter(output.scope),
                         [&has](VarId id) { return std::ranges::find(has, id) != has.end(); });
    std::ranges::copy(asked.scope, std::back_inserter(output.scope));
    program_.outputs.push_back(std::move(output));
  }

  const GlobalOrder &order() const { return loops_.order(); }
  const SliceLevels &levels() const { return loops_.levels(); }

  TableProgram &program_;
  const std::vector<VarId> held_;
  ReenteredLoops loops_;
  const size_t upwardCount_;
  std::vector<AskedPosterior> asked_;
  std::vector<TableId> made_;                ///< by number of the posterior
  std::vector<std::vector<size_t>> askedAt_; ///< by upward operation: posteriors taken there
  std::vector<char> asks_;       ///< by upward operation: some posterior is taken in its subtree
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

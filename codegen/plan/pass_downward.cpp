#include "codegen/plan/pass_downward.h"

#include "codegen/plan/program_edit.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <algorithm>

namespace mpf {

namespace {

class Downward {
public:
  explicit Downward(TableProgram &program)
      : program_(program), order_(program), upwardCount_(program.operations.size()),
        eliminates_(upwardCount_, 0) {}

  void run() {
    for (size_t i = 0; i < upwardCount_; ++i) {
      eliminates_[i] = !program_.operations[i].reduced.empty();
      for (const TableId id : program_.operations[i].operands)
        if (needsMessage(id))
          eliminates_[i] = 1;
    }
    pending_.push_back({program_.table(program_.outputs.front().table).producer, TableId{}});
    while (!pending_.empty()) {
      const Visit visit = pending_.back();
      pending_.pop_back();
      this->visit(visit);
    }
    sortOutputs();
  }

private:
  /// An operation, or the message from above to its operand `child` not yet made.
  struct Visit {
    OpId operation;
    TableId down;  ///< downward message to the result; invalid: nothing above (a root)
    TableId child; ///< valid: make the message to this operand first, then go there
  };

  /// Only subtrees that eliminate variables have marginals of their own.
  bool needsMessage(TableId id) const {
    const OpId producer = program_.table(id).producer;
    return producer.valid() && eliminates_[producer.index()];
  }

  void visit(const Visit &visit) {
    if (visit.child.valid()) {
      const TableId down = messageTo(visit.child, visit);
      takeMarginals(visit.operation, visit.child, down);
      pending_.push_back({program_.table(visit.child).producer, down, TableId{}});
      return;
    }
    const Operation operation = program_.operation(visit.operation);
    for (const VarId variable : operation.reduced)
      if (source(operation, variable) == kOwnBucket) {
        std::vector<TableId> tables = operation.operands;
        if (visit.down.valid())
          tables.push_back(visit.down);
        addMarginal(variable, std::move(tables));
      }
    for (auto it = operation.operands.rbegin(); it != operation.operands.rend(); ++it)
      if (needsMessage(*it))
        pending_.push_back({visit.operation, visit.down, *it});
  }

  /// Downward message to one operand; invalid for scalars: all of their subtree is a part of its
  /// own, and what the rest says about it is a constant.
  TableId messageTo(TableId child, const Visit &visit) {
    const Operation &operation = program_.operation(visit.operation);
    const std::vector<VarId> &childScope = program_.table(child).scope;
    if (childScope.empty())
      return TableId{};
    std::vector<TableId> others;
    for (const TableId id : operation.operands)
      if (id != child)
        others.push_back(id);
    if (visit.down.valid())
      others.push_back(visit.down);
    if (others.empty())
      return TableId{};
    const std::vector<VarId> scope = unionScope(program_, order_, others);
    return reduceTo(std::move(others), scopeWithout(order_, scope, childScope));
  }

  TableId reduceTo(std::vector<TableId> tables, std::vector<VarId> reduced) {
    MPF_CHECK(tables.size() <= kMaxOperands, "downward operation of {} operands, at most {}",
              tables.size(), kMaxOperands);
    const Semiring semiring = program_.operations.front().semiring;
    const OpId id =
        appendOperation(program_, order_, semiring, std::move(tables), std::move(reduced));
    return program_.operation(id).result;
  }

  static constexpr size_t kOwnBucket = SIZE_MAX;

  /// Which operand of the variable's bucket gives its marginal most cheaply.
  size_t source(const Operation &operation, VarId variable) const {
    size_t best = kOwnBucket;
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

  void takeMarginals(OpId id, TableId child, TableId down) {
    const Operation operation = program_.operation(id);
    for (const VarId variable : operation.reduced)
      if (const size_t from = source(operation, variable);
          from != kOwnBucket && operation.operands[from] == child)
        addMarginal(variable, down.valid() ? std::vector{child, down} : std::vector{child});
  }

  void addMarginal(VarId variable, std::vector<TableId> tables) {
    const std::vector<VarId> scope = unionScope(program_, order_, tables);
    ProgramOutput output;
    output.name = program_.variables[variable.index()].name;
    output.scope = {variable};
    output.table = reduceTo(std::move(tables), scopeWithout(order_, scope, output.scope));
    output.normalised = true;
    program_.outputs.push_back(std::move(output));
  }

  void sortOutputs() {
    std::sort(program_.outputs.begin() + 1, program_.outputs.end(),
              [](const ProgramOutput &a, const ProgramOutput &b) { return a.scope < b.scope; });
    MPF_CHECK(program_.outputs.size() == program_.order.size() + 1, "{} marginals for {} variables",
              program_.outputs.size() - 1, program_.order.size());
  }

  TableProgram &program_;
  const GlobalOrder order_;
  const size_t upwardCount_;
  std::vector<char> eliminates_; ///< by upward operation: some variable is reduced in its subtree
  std::vector<Visit> pending_;   ///< a stack: depth first without recursion
};

} // namespace

void passDownward(TableProgram &program) {
  if (program.kind == QueryKind::Marginals)
    Downward(program).run();
}

} // namespace mpf

#include "codegen/plan/program/verify_program.h"

#include "codegen/plan/program/chain_rules.h"
#include "codegen/plan/program/operation_key.h"
#include "codegen/plan/program/packed_tables.h"
#include "codegen/plan/program/program_edit.h"
#include "codegen/plan/program/reentered_loops.h"
#include "codegen/plan/program/slice_copies.h"
#include "codegen/plan/program/slice_levels.h"
#include "codegen/plan/program/split_k.h"
#include "codegen/plan/program/storage_order.h"
#include "codegen/plan/program/verify_outputs.h"
#include "codegen/plan/program/verify_product.h"

#include <algorithm>
#include <fmt/core.h>
#include <utility>

namespace mpf {

namespace {

using Fault = std::optional<std::string>;

/// Checks ids, origins, sizes and scopes: everything that needs no knowledge of the algebra.
class Shape {
public:
  Shape(const TableProgram &program, const VerifyStages &stages)
      : program_(program), stages_(stages), seen_(program.variables.size(), 0),
        mark_(program.variables.size(), 0), wholeKeys_(program) {}

  Fault check() {
    if (Fault fault = checkVariables())
      return fault;
    positions_.emplace(program_);
    for (const ProgramTable &table : program_.tables)
      if (Fault fault = checkScope(table.scope))
        return fmt::format("table {}: {}", table.name, *fault);
    levels_.emplace(program_);
    if (Fault fault = checkSliced())
      return fault;
    if (Fault fault = checkTables())
      return fault;
    for (size_t i = 0; i < program_.operations.size(); ++i)
      if (Fault fault = checkOperation(OpId{i}))
        return fmt::format("operation {}: {}", i, *fault);
    if (stages_.nested)
      if (Fault fault = checkNest())
        return fault;
    for (const ProgramOutput &output : program_.outputs)
      if (Fault fault = checkOutput(output))
        return fmt::format("output {}: {}", output.name, *fault);
    if (std::string fault = findOutputFault(program_, stages_.nested); !fault.empty())
      return fault;
    return checkTraceback();
  }

private:
  bool known(VarId id) const { return id.index() < program_.variables.size(); }
  bool known(TableId id) const { return id.index() < program_.tables.size(); }
  const std::string &name(VarId id) const { return program_.variables[id.index()].name; }

  Fault checkVariables() {
    bool copies = false;
    for (const ProgramVariable &variable : program_.variables) {
      if (variable.extent == 0)
        return fmt::format("variable {} has extent 0", variable.name);
      if (variable.copyOf.valid() && !isCopy(variable))
        return fmt::format("variable {} is no copy of {}", variable.name, variable.copyOf);
      if (copies && !variable.copyOf.valid())
        return fmt::format("variable {} comes after copies", variable.name);
      copies |= variable.copyOf.valid();
    }
    const auto sliced = std::count_if(program_.variables.begin(), program_.variables.end(),
                                      [](const ProgramVariable &v) { return v.sliced; });
    if (sliced > static_cast<ptrdiff_t>(kMaxLoops))
      return fmt::format("{} sliced variables, at most {} are possible", sliced, kMaxLoops);
    if (sliced > 0 && program_.separateBranches)
      return "a plan in slices has no separate branches";
    if (std::string fault = findEvidenceFault(program_.evidence, program_.variables);
        !fault.empty() || program_.evidence.listed)
      return fault.empty() ? "a plan is for one case" : fault;
    for (const Finding &finding : program_.evidence.findings)
      if (const ProgramVariable &variable = program_.variables[finding.variable.index()];
          variable.sliced || variable.copyOf.valid())
        return fmt::format("variable {} is observed, and sliced or a copy", variable.name);
    for (const VarId id : program_.order) {
      if (!known(id))
        return fmt::format("order names variable {} of {}", id, program_.variables.size());
      if (program_.observes(id))
        return fmt::format("observed variable {} is in the order", name(id));
      if (std::exchange(seen_[id.index()], 1))
        return fmt::format("variable {} is twice in the order", name(id));
    }
    return std::nullopt;
  }

  /// Whether a copy is sound: its original is a sliced variable of the same extent, which is no
  /// copy itself. The copy may have a loop in marginals (reentered_loops.h).
  bool isCopy(const ProgramVariable &copy) const {
    if (!known(copy.copyOf) || (copy.sliced && !traitsOf(program_.kind).goesDownward))
      return false;
    const ProgramVariable &original = program_.variables[copy.copyOf.index()];
    return original.extent == copy.extent && original.sliced && !original.copyOf.valid();
  }

  /// Checks that every identity ties a copy to its original, and every copy that is not sliced has
  /// one.
  Fault checkIdentities() const {
    std::vector<char> tied(program_.variables.size(), 0);
    for (const ProgramTable &table : program_.tables) {
      if (!table.isIdentity)
        continue;
      // Sliced variables come first in every scope.
      if (table.scope.size() != 2 || program_.variables[table.scope[1].index()].sliced ||
          program_.variables[table.scope[1].index()].copyOf != originalOf(program_, table.scope[0]))
        return fmt::format("table {} is no identity of a variable and its copy", table.name);
      if (!isReenteredInput(program_, table) && std::exchange(tied[table.scope[1].index()], 1))
        return fmt::format("copy {} has a second identity", name(table.scope[1]));
    }
    for (size_t i = 0; i < tied.size(); ++i)
      if (program_.variables[i].copyOf.valid() && !program_.variables[i].sliced && !tied[i])
        return fmt::format("copy {} has no identity", program_.variables[i].name);
    return std::nullopt;
  }

  /// Checks that every input of a reentered loop is the same as the input that the first loop
  /// reads, whose scope has the originals of the copies.
  Fault checkReadings() const {
    const std::vector<TableId> first = firstReadings(program_);
    for (size_t i = 0; i < first.size(); ++i) {
      const ProgramTable &table = program_.tables[i];
      if (!isReenteredInput(program_, table))
        continue;
      const ProgramTable &other = program_.table(first[i]);
      if (!table.sameAs.valid() || program_.stored(first[i]) != table.sameAs ||
          !std::equal(table.scope.begin(), table.scope.end(), other.scope.begin(),
                      other.scope.end(), [this](VarId again, VarId id) {
                        return again == id || program_.variables[again.index()].copyOf == id;
                      }))
        return fmt::format("table {} of a reentered loop is not that of the first one", table.name);
    }
    return std::nullopt;
  }

  Fault checkSliced() const {
    for (size_t i = 0; i < program_.variables.size(); ++i)
      if (program_.variables[i].sliced && positions_->position(VarId{i}) >= levels_->count())
        return fmt::format("sliced variable {} is not among the first of the order",
                           program_.variables[i].name);
    return std::nullopt;
  }

  /// Checks that an accumulation reduces one variable, that of the loop that its operand is in.
  Fault checkAccumulation(const Operation &operation) const {
    if (operation.operands.size() != 1 || operation.reduced.size() != 1 ||
        program_.table(operation.operands[0]).isInput())
      return "it reduces a sliced variable together with other work";
    if (levels_->ofScope(operation.reduced) != levels_->ofOperation(operation))
      return fmt::format("it accumulates over {} inside a deeper loop", name(operation.reduced[0]));
    return std::nullopt;
  }

  /// Checks that the operations of every loop are contiguous, and that accumulated tables are
  /// complete when they are read.
  Fault checkNest() const {
    const LoopTree &tree = levels_->tree();
    std::vector<char> entered(levels_->count() + 1, 0);
    LoopPosition position(tree);
    for (size_t i = 0; i < program_.operations.size(); ++i) {
      const Operation &operation = program_.operations[i];
      const uint32_t level = levels_->ofOperation(operation);
      uint32_t twice = 0;
      position.moveTo(
          level, [](uint32_t) {},
          [&](uint32_t loop) { twice = std::exchange(entered[loop], 1) ? loop : twice; });
      if (twice != 0)
        return fmt::format("operation {}: loop {} is entered a second time", i, twice);
      for (const TableId id : operation.operands) {
        const OpId producer = program_.table(id).producer;
        if (producer.valid() && levels_->accumulates(program_.operation(producer)) &&
            tree.contains(levels_->ofOperation(program_.operation(producer)), level))
          return fmt::format("operation {}: it reads {} before its loop has ended", i,
                             program_.table(id).name);
      }
    }
    return std::nullopt;
  }

  Fault checkScope(const std::vector<VarId> &scope) const {
    for (size_t i = 0; i < scope.size(); ++i) {
      if (!known(scope[i]) || !seen_[scope[i].index()])
        return fmt::format("variable {} is not in the order", scope[i]);
      if (i > 0 && !positions_->before(scope[i - 1], scope[i]))
        return fmt::format("{} and {} do not follow the global order", name(scope[i - 1]),
                           name(scope[i]));
    }
    return std::nullopt;
  }

  Fault checkTables() const {
    std::vector<char> inScope(program_.variables.size(), 0);
    for (const ProgramTable &table : program_.tables) {
      for (const VarId id : table.scope)
        inScope[id.index()] = 1;
      if (const uint64_t elems =
              table.isInput() ? programElems(program_, table.scope) : storedElems(program_, table);
          table.sizeElems != elems)
        return fmt::format("table {} has {} entries, its scope needs {}", table.name,
                           table.sizeElems, elems);
      if (table.factor.valid() + table.fill.has_value() + table.isIdentity +
              table.producer.valid() !=
          1)
        return fmt::format("table {} needs one origin: a factor, a fill value, the identity or an "
                           "operation",
                           table.name);
      if (Fault fault = checkStored(table))
        return fmt::format("table {} {}", table.name, *fault);
    }
    for (const VarId id : program_.order)
      if (!inScope[id.index()])
        return fmt::format("variable {} of the order is in no scope", name(id));
    if (Fault fault = checkReadings())
      return fault;
    if (Fault fault = checkPacked())
      return fault;
    return checkIdentities();
  }

  Fault checkPacked() const {
    const auto packed = [](const ProgramTable &table) { return table.packed; };
    if (std::none_of(program_.tables.begin(), program_.tables.end(), packed))
      return std::nullopt;
    const std::vector<std::string> faults = packingFaults(program_);
    for (size_t i = 0; i < faults.size(); ++i)
      if (program_.tables[i].packed && !faults[i].empty())
        return fmt::format("table {} is packed, but {}", program_.tables[i].name, faults[i]);
    return std::nullopt;
  }

  /// Checks how a table is stored. Only the model can tell whether inputs hold equal entries
  /// (match_model.h).
  Fault checkStored(const ProgramTable &table) const {
    if (table.kept && (table.isInput() || table.sameAs.valid()))
      return "is kept, but no operation writes it";
    if (table.kept && levels_->ofScope(table.scope) > 0)
      return "is kept, but the next slice overwrites it";
    if (!table.sameAs.valid())
      return std::nullopt;
    if (!known(table.sameAs) || &program_.table(table.sameAs) >= &table ||
        program_.table(table.sameAs).sameAs.valid())
      return fmt::format("is the same as {}, which is no earlier table that is stored",
                         table.sameAs);
    const ProgramTable &other = program_.table(table.sameAs);
    if (table.isInput() != other.isInput() || table.fill != other.fill ||
        table.isIdentity != other.isIdentity)
      return fmt::format("is the same as {}, which has another origin", other.name);
    const auto sameExtent = [this](VarId a, VarId b) {
      return program_.variables[a.index()].extent == program_.variables[b.index()].extent;
    };
    if (!std::equal(table.scope.begin(), table.scope.end(), other.scope.begin(), other.scope.end(),
                    sameExtent))
      return fmt::format("is the same as {}, which has other extents", other.name);
    return std::nullopt;
  }

  /// Checks that a result that is the same as another one is computed from the same operands in the
  /// same places. Sums are cut after tables are shared, so the other one is compared as it was
  /// before.
  Fault checkShared(const Operation &operation) {
    if (program_.runs(operation))
      return std::nullopt;
    const ProgramTable &other = program_.table(program_.stored(operation.result));
    if (levels_->accumulates(operation))
      return "it accumulates: its result is its own";
    if (other.producer >= program_.table(operation.result).producer ||
        operationKey(program_, *positions_, operation) !=
            wholeKeys_.of(other.producer, *positions_))
      return fmt::format("its result is not the same as {}", other.name);
    return std::nullopt;
  }

  Fault checkOperation(OpId id) {
    const Operation &operation = program_.operation(id);
    if (operation.operands.empty() || (stages_.bounded && operation.operands.size() > kMaxOperands))
      return fmt::format("{} operands, allowed are 1 to {}", operation.operands.size(),
                         kMaxOperands);
    if (!isSemiring(operation.semiring))
      return "its reduction and product are no semiring";
    for (const TableId operand : operation.operands) {
      if (!known(operand))
        return fmt::format("operand {} of {} tables", operand, program_.tables.size());
      const ProgramTable &table = program_.table(operand);
      if (!table.isInput() && table.producer.index() >= id.index())
        return fmt::format("it reads {} before it is written", table.name);
    }
    if (!known(operation.result) || program_.table(operation.result).producer != id)
      return fmt::format("its result {} has another origin", operation.result);
    if (Fault fault = checkScope(operation.reduced))
      return fault;
    if (Fault fault = checkResultScope(operation))
      return fault;
    const std::vector<VarId> &kept = program_.table(operation.result).scope;
    const bool accumulates = levels_->accumulates(operation);
    if (accumulates && stages_.bounded)
      if (Fault fault = checkAccumulation(operation))
        return fault;
    if (!traitsOf(program_.kind).goesDownward && !accumulates && !kept.empty() &&
        !operation.reduced.empty() && !positions_->before(kept.back(), operation.reduced.front()))
      return fmt::format("reduced variable {} is not less significant than {}",
                         name(operation.reduced.front()), name(kept.back()));
    if (Fault fault = checkShared(operation))
      return fault;
    const OperationCost cost = operationCost(program_, operation);
    if (cost.addressCount != operation.cost.addressCount ||
        cost.readElems != operation.cost.readElems)
      return fmt::format("its cost says {} addresses and {} entries read, its scopes {} and {}",
                         operation.cost.addressCount, operation.cost.readElems, cost.addressCount,
                         cost.readElems);
    return std::nullopt;
  }

  /// Checks that the result has the variables of the operands that are not reduced. Both lists are
  /// scopes, so each names a variable once.
  Fault checkResultScope(const Operation &operation) {
    const size_t taken = ++lastMark_; // marks need no clearing
    size_t count = 0;
    for (const TableId operand : operation.operands)
      for (const VarId id : program_.table(operand).scope)
        count += std::exchange(mark_[id.index()], taken) != taken;
    const size_t reduced = ++lastMark_;
    for (const VarId id : operation.reduced)
      if (std::exchange(mark_[id.index()], reduced) != taken)
        return "it reduces a variable that no operand has";
    const std::vector<VarId> &scope = program_.table(operation.result).scope;
    if (scope.size() + operation.reduced.size() != count ||
        !std::ranges::all_of(scope, [&](VarId id) { return mark_[id.index()] == taken; }))
      return "the scope of its result is not that of its operands less the reduced variables";
    return std::nullopt;
  }

  Fault checkOutput(const ProgramOutput &output) const {
    if (!known(output.table) || program_.table(output.table).isInput() ||
        program_.table(output.table).producer.index() >= program_.operations.size())
      return "its table is no result of an operation";
    for (const VarId id : output.scope)
      if (!known(id))
        return fmt::format("variable {} of {}", id, program_.variables.size());
    if (levels_->ofScope(program_.table(output.table).scope) > 0)
      return "it holds one slice only";
    std::vector<VarId> asked = output.scope, have = program_.table(output.table).scope;
    std::sort(asked.begin(), asked.end());
    std::sort(have.begin(), have.end());
    if (asked != have)
      return "its scope is no permutation of its table's";
    return std::nullopt;
  }

  Fault checkTraceback() const {
    const bool isAdded = stages_.bounded || !program_.traceback.empty(); // the pass eliminate adds
                                                                         // them
    std::string fault = findTracebackFault(program_, isAdded);
    return fault.empty() ? Fault{} : Fault(std::move(fault));
  }

  const TableProgram &program_;
  const VerifyStages stages_;
  std::vector<char> seen_;   ///< by variable: whether it is in the order
  std::vector<size_t> mark_; ///< by variable: the last set that had it
  size_t lastMark_ = 0;
  std::optional<GlobalOrder> positions_;
  std::optional<SliceLevels> levels_;
  WholeKeys wholeKeys_;
};

} // namespace

std::optional<std::string> verifyProgram(const TableProgram &program, const VerifyStages &stages) {
  if (Fault fault = Shape(program, stages).check())
    return fault;
  // A result that no operation writes would be read uninitialised.
  for (size_t i = 0; i < program.tables.size(); ++i) {
    const OpId producer = program.tables[i].producer;
    if (producer.valid() && (producer.index() >= program.operations.size() ||
                             program.operation(producer).result != TableId{i}))
      return fmt::format("table {} is written by no operation", program.tables[i].name);
  }
  if (std::string fault = findSplitFault(program); !fault.empty())
    return fault;
  if (std::string fault = findStorageFault(program); !fault.empty())
    return fault;
  if (std::string fault = findChainFault(program); !fault.empty())
    return fault;
  if (std::string fault = findUnusedResult(program); !fault.empty())
    return fault;
  return verifyProducts(program);
}

} // namespace mpf

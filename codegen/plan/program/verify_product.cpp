#include "codegen/plan/program/verify_product.h"

#include "codegen/plan/program/global_order.h"
#include "codegen/plan/program/held_variables.h"
#include "codegen/plan/program/reentered_loops.h"
#include "codegen/simplify/state/disjoint_sets.h"
#include "dsl/support/split_mix.h"

#include <algorithm>
#include <fmt/core.h>
#include <iterator>

namespace mpf {

namespace {

/// Maps the index of an input to a random number. Equal sums of these almost certainly have equal
/// terms.
uint64_t hashOf(size_t index) {
  uint64_t state = index * kGoldenGamma;
  return nextRandom(state);
}

class Products {
public:
  explicit Products(const TableProgram &program)
      : program_(program), parts_(program.variables.size()), all_(program.tables.size(), 0),
        first_(program.tables.size(), 0), wanted_(program.variables.size(), 0),
        sums_(program.variables.size(), 0), partSum_(program.variables.size(), 0) {
    size_t places = 0;
    for (size_t i = 0; i < program.tables.size(); ++i) {
      first_[i] = places;
      places += program.tables[i].scope.size();
    }
    perVariable_.resize(places, 0);
  }

  std::optional<std::string> check() {
    addInputs();
    for (size_t i = 0; i < program_.operations.size(); ++i)
      if (auto problem = checkOperation(program_.operations[i]))
        return fmt::format("operation {}: {}", i, *problem);
    for (const ProgramOutput &output : program_.outputs)
      if (auto problem = checkOutput(output))
        return fmt::format("output {}: {}", output.name, *problem);
    return std::nullopt;
  }

private:
  /// Adds the inputs. An input of a reentered loop counts as the input that the first loop reads,
  /// and the variable of the reentered loop as that of the first.
  void addInputs() {
    const std::vector<TableId> readings = firstReadings(program_);
    std::vector<VarId> made;
    for (const ProgramTable &table : program_.tables)
      if (table.isInput())
        join(partScope(table, made));
    for (size_t i = 0; i < program_.tables.size(); ++i) {
      const ProgramTable &table = program_.tables[i];
      if (!table.isInput())
        continue;
      all_[i] = hashOf(readings[i].index());
      std::fill_n(perVariable_.begin() + static_cast<std::ptrdiff_t>(first_[i]), table.scope.size(),
                  all_[i]);
      if (readings[i] != TableId{i})
        continue;
      total_ += all_[i];
      for (const VarId id : table.scope)
        wanted_[id.index()] += all_[i];
      if (const std::vector<VarId> &scope = partScope(table, made); !scope.empty())
        partSum_[parts_.find(scope[0].value)] += all_[i];
    }
    for (size_t i = 0; i < program_.variables.size(); ++i)
      if (const ProgramVariable &variable = program_.variables[i]; isReentered(variable))
        wanted_[i] = wanted_[variable.copyOf.index()];
  }

  /// Returns the variables of a table that connect components: held variables of marginals are
  /// reduced nowhere, so they connect nothing. `made` has room for them.
  const std::vector<VarId> &partScope(const ProgramTable &table, std::vector<VarId> &made) const {
    if (traitsOf(program_.kind).outputs != QueryOutputs::Posteriors)
      return table.scope;
    made.clear();
    std::ranges::copy_if(table.scope, std::back_inserter(made),
                         [this](VarId id) { return !isHeld(program_, id); });
    return made;
  }

  void join(const std::vector<VarId> &scope) {
    for (size_t i = 1; i < scope.size(); ++i)
      parts_.join(scope[0].value, scope[i].value);
  }

  std::optional<std::string> checkOperation(const Operation &operation) {
    uint64_t all = 0;
    for (const TableId id : operation.operands) {
      const ProgramTable &table = program_.table(id);
      all += all_[id.index()];
      for (size_t i = 0; i < table.scope.size(); ++i)
        sums_[table.scope[i].index()] += perVariable_[first_[id.index()] + i];
    }
    const size_t result = operation.result.index();
    all_[result] = all;
    const std::vector<VarId> &scope = program_.tables[result].scope;
    for (size_t i = 0; i < scope.size(); ++i)
      perVariable_[first_[result] + i] = sums_[scope[i].index()];
    const auto early =
        std::find_if(operation.reduced.begin(), operation.reduced.end(),
                     [this](VarId id) { return sums_[id.index()] != wanted_[id.index()]; });
    for (const TableId id : operation.operands)
      for (const VarId v : program_.table(id).scope)
        sums_[v.index()] = 0;
    if (early == operation.reduced.end())
      return std::nullopt;
    return fmt::format("{} is reduced without having each of its tables multiplied in once",
                       program_.variables[early->index()].name);
  }

  std::optional<std::string> checkOutput(const ProgramOutput &output) {
    const ProgramTable &table = program_.table(output.table);
    std::vector<VarId> made;
    const std::vector<VarId> &part = partScope(table, made);
    const bool ofPart = traitsOf(program_.kind).goesDownward && !part.empty();
    const uint64_t wanted = ofPart ? partSum_[parts_.find(part[0].value)] : total_;
    if (all_[output.table.index()] != wanted)
      return "it is not the product of every input, each once";
    for (size_t i = 0; i < table.scope.size(); ++i)
      if (std::ranges::find(part, table.scope[i]) != part.end() &&
          perVariable_[first_[output.table.index()] + i] != wanted_[table.scope[i].index()])
        return fmt::format("tables of {} are missing from it",
                           program_.variables[table.scope[i].index()].name);
    return std::nullopt;
  }

  const TableProgram &program_;
  DisjointSets parts_;
  std::vector<uint64_t> all_;         ///< by table: sum over the inputs in its product
  std::vector<uint64_t> perVariable_; ///< sum over the inputs in the product that hold a variable;
                                      ///< by place in a scope, the scopes of all tables in one list
  std::vector<size_t> first_;         ///< by table: where its scope begins in perVariable_
  std::vector<uint64_t> wanted_;      ///< by variable: sum over all inputs that hold it
  std::vector<uint64_t> sums_;        ///< by variable: sum in the operation that is being checked
  std::vector<uint64_t> partSum_;     ///< by representative of a component: sum over its inputs
  uint64_t total_ = 0;
};

} // namespace

std::optional<std::string> verifyProducts(const TableProgram &program) {
  return Products(program).check();
}

} // namespace mpf

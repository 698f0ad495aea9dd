#include "codegen/lanes/build_lane_program.h"

#include "codegen/lanes/contract_bucket.h"
#include "codegen/lanes/lane_memory.h"
#include "codegen/lanes/lane_writer.h"
#include "dsl/model/conditional_rows.h"
#include "dsl/source/text_error.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <algorithm>
#include <bit>
#include <optional>

namespace mpf {

namespace {

/// The inputs of a plan that do not depend on the bounds of tables.
struct LaneProblem {
  const ObservableModel &observable;
  const TableProgram &plan;
  const CaseSchema &schema;
  const LaneOptions &options;
};

std::vector<LaneAsked> askedBy(const Query &query) {
  std::vector<LaneAsked> asked;
  for (const JoinedQuery &joined : query.joined)
    asked.push_back({joined.output, joined.rowVariables});
  if (asked.empty() && traitsOf(query.kind).outputs == QueryOutputs::Asked && !query.output.empty())
    asked.push_back({query.output, query.rowVariables});
  return asked;
}

class LaneBuilder {
public:
  LaneBuilder(const LaneProblem &problem, uint64_t tableElems, double gatherPrice,
              double storePrice)
      : problem_(problem), limits_{tableElems, problem.options.commonAddresses,
                                   problem.options.constantElems},
        costs_(problem.options.costs), held_(problem.plan.tables.size()),
        writer_(result_.program, problem.options.storedIndicatorElems) {
    costs_.gatheredElem = gatherPrice * costs_.address;
    costs_.storedElem = storePrice * costs_.address;
    result_.tableElems = tableElems;
    LaneProgram &program = result_.program;
    program.name = problem.plan.name;
    program.kind = problem.plan.kind;
    program.type = problem.options.type;
    program.semiring = problem.plan.operations.front().semiring;
    program.schema = problem.schema;
    program.asked = askedBy(problem.observable.query);
    setVariables(program, problem.observable.model, problem.plan.evidence.observations());
    for (const CaseVariable &observed : problem.schema.observed)
      columnExtents_.push_back(observed.extent);
  }

  LanePlan build() {
    addInputs();
    for (const Operation &operation : problem_.plan.operations)
      addOperation(operation);
    addOutputs();
    addTraceback();
    planLaneMemory(result_.program);
    countRead();
    result_.laneCost = laneCost(result_.program, problem_.options.costs);
    return std::move(result_);
  }

private:
  static uint64_t elemsOf(const Factor &factor, const Model &model) {
    return scopeElems(model, factor.scope);
  }

  std::optional<uint32_t> columnOf(const std::vector<FactorId> &factors, FactorId id) const {
    const auto at = std::find(factors.begin(), factors.end(), id);
    if (at == factors.end())
      return std::nullopt;
    return static_cast<uint32_t>(at - factors.begin());
  }

  void addInputs() {
    for (size_t i = 0; i < problem_.plan.tables.size(); ++i)
      if (problem_.plan.tables[i].isInput())
        held_[i] = addInput(problem_.plan.tables[i]);
  }

  HeldTable addInput(const ProgramTable &table) {
    if (table.fill) {
      auto entries = std::make_shared<const std::vector<double>>(table.sizeElems, *table.fill);
      return writer_.addValues({"", table.sizeElems, std::move(entries)}, table.name, table.scope);
    }
    MPF_CHECK(table.factor.valid(), "table {} is of a plan in slices", table.name);
    const Model &model = problem_.observable.model;
    const Factor &factor = model.factor(table.factor);
    if (const auto column = columnOf(problem_.observable.indicators, table.factor)) {
      const std::vector<uint32_t> &states = problem_.observable.indicated[*column];
      return states.empty() ? writer_.addIndicator(*column)
                            : writer_.addIndicator(*column, factor.scope, states);
    }
    const auto weights = problem_.observable.weightTableOf(table.factor);
    HeldTable held = weights ? writer_.addWeights(*weights, factor.name, factor.scope)
                             : writer_.addValues({factor.name, elemsOf(factor, model),
                                                  storedValues(factor), rowElemsOf(model, factor)},
                                                 factor.name, factor.scope);
    dropSingleStates(held, table.scope);
    return held;
  }

  /// Drops variables of one state: a scope of the plan has them only if an output has them.
  static void dropSingleStates(HeldTable &held, const std::vector<VarId> &scope) {
    for (size_t i = held.scope.size(); i-- > 0;)
      if (std::find(scope.begin(), scope.end(), held.scope[i]) == scope.end()) {
        held.scope.erase(held.scope.begin() + static_cast<ptrdiff_t>(i));
        held.stridesElems.erase(held.stridesElems.begin() + static_cast<ptrdiff_t>(i));
      }
  }

  const HeldTable &held(TableId id) {
    std::optional<HeldTable> &at = held_[id.index()];
    const TableId stored = problem_.plan.stored(id);
    if (!at) { // the same entries as an earlier table, over other variables
      MPF_CHECK(stored != id, "table {} is read before it is written", id);
      const ProgramTable &own = problem_.plan.table(id), &other = problem_.plan.table(stored);
      at = held(stored);
      for (VarId &variable : at->scope) {
        const auto place = std::find(other.scope.begin(), other.scope.end(), variable);
        MPF_CHECK(place != other.scope.end(), "table {} has no variable {}", other.name, variable);
        variable = own.scope[static_cast<size_t>(place - other.scope.begin())];
      }
    }
    return *at;
  }

  void addOperation(const Operation &operation) {
    if (!problem_.plan.runs(operation))
      return;
    operands_.clear();
    variables_.clear();
    for (const TableId id : operation.operands) {
      operands_.push_back(held(id));
      for (const VarId variable : operands_.back().scope)
        if (std::find(variables_.begin(), variables_.end(), variable) == variables_.end())
          variables_.push_back(variable);
    }
    if (variables_.size() > kMaxBucketVariables)
      fail(ErrorKind::MemoryBound,
           "query {}: an operation over {} variables is more than lanes hold", problem_.plan.name,
           variables_.size());
    Bucket bucket;
    for (const VarId variable : variables_)
      bucket.extents.push_back(result_.program.variables[variable.index()].extent);
    for (const HeldTable &operand : operands_)
      bucket.operands.push_back(
          {maskOf(operand.scope), operand.perCase, operand.columns, writer_.hasRow(operand)});
    bucket.kept = maskOf(problem_.plan.table(operation.result).scope);
    contraction_ = contractBucket(bucket, columnExtents_, costs_, limits_);
    // The scope is in the order of the plan, in which its tables are sorted.
    resultScope_ = problem_.plan.table(operation.result).scope;
    held_[operation.result.index()] = write(contraction_.nodes.size() - 1);
  }

  VariableMask maskOf(const std::vector<VarId> &scope) const {
    VariableMask mask = 0;
    for (const VarId variable : scope) {
      const auto at = std::find(variables_.begin(), variables_.end(), variable);
      if (at != variables_.end())
        mask |= VariableMask{1} << (at - variables_.begin());
    }
    return mask;
  }

  std::vector<VarId> scopeOf(VariableMask mask) const {
    if (mask == maskOf(resultScope_))
      return resultScope_;
    std::vector<VarId> scope;
    for (; mask != 0; mask &= mask - 1)
      scope.push_back(variables_[static_cast<size_t>(std::countr_zero(mask))]);
    return scope;
  }

  std::vector<HeldTable> operandsOf(uint32_t set) const {
    std::vector<HeldTable> list;
    for (; set != 0; set &= set - 1)
      list.push_back(operands_[static_cast<size_t>(std::countr_zero(set))]);
    return list;
  }

  /// Writes the nodes that a node depends on, then its own table.
  HeldTable write(size_t index) {
    const ContractionNode &node = contraction_.nodes[index];
    const std::vector<VarId> scope = scopeOf(node.scope);
    if (node.children.empty()) {
      std::vector<HeldTable> operands = operandsOf(node.operands);
      const bool isOperand = operands.size() == 1 && maskOf(operands[0].scope) == node.scope;
      if (!node.free) {
        MPF_CHECK(isOperand, "{} operands are multiplied in no order", operands.size());
        return operands[0];
      }
      return isOperand ? operands[0] : writer_.addCommon(operands, scope);
    }
    std::vector<HeldTable> factors;
    VariableMask addresses = 0;
    for (const uint32_t child : node.children)
      addresses |= contraction_.nodes[child].scope;
    for (const uint32_t child : node.children)
      addFactors(child, addresses, factors);
    return writer_.addMessage(factors, scope);
  }

  /// Collects the factors of a product in a lane. A product over the same addresses is not stored:
  /// its factors are multiplied at each address.
  void addFactors(uint32_t index, VariableMask addresses, std::vector<HeldTable> &factors) {
    const ContractionNode &node = contraction_.nodes[index];
    VariableMask inner = 0;
    for (const uint32_t child : node.children)
      inner |= contraction_.nodes[child].scope;
    if (node.children.size() == 2 && node.scope == inner && inner == addresses &&
        factors.size() + 3 <= kMaxLaneOperands) {
      for (const uint32_t child : node.children)
        addFactors(child, addresses, factors);
      return;
    }
    factors.push_back(writer_.row(write(index)));
  }

  LaneAccess accessOver(const HeldTable &table, const std::vector<VarId> &scope) const {
    return LaneWriter::access(table, scope);
  }

  void addOutputs() {
    for (const ProgramOutput &output : problem_.plan.outputs) {
      const HeldTable message = writer_.message(held(output.table));
      LaneOutput made;
      made.name = output.name;
      made.scope = output.scope;
      for (const VarId variable : output.scope)
        made.extents.push_back(result_.program.variables[variable.index()].extent);
      made.access = accessOver(message, output.scope);
      made.normalised = output.normalised;
      result_.program.outputs.push_back(std::move(made));
    }
  }

  void addTraceback() {
    for (const TracebackStep &step : problem_.plan.traceback) {
      LaneTraceback made;
      made.variable = step.variable;
      for (const TableId id : step.tables) {
        const HeldTable table = writer_.row(held(id));
        made.tables.push_back({accessOver(table, table.scope), table.scope});
      }
      result_.program.traceback.push_back(std::move(made));
    }
  }

  /// Counts the entries of the tables over evidence digits from which lanes pick rows, each table
  /// once. Tables of constants are equal in every plan.
  void countRead() {
    std::vector<char> isRead(result_.program.tables.size(), 0);
    for (const LaneStep &step : result_.program.steps)
      if (const auto *gather = std::get_if<LaneGather>(&step))
        isRead[gather->table] = 1;
    for (size_t i = 0; i < isRead.size(); ++i)
      if (isRead[i] && result_.program.tables[i].kind != LaneTableKind::Indicator)
        result_.readElems += result_.program.tables[i].sizeElems;
  }

  const LaneProblem &problem_;
  const LaneLimits limits_;
  LaneCosts costs_; ///< costs by which operations are divided
  LanePlan result_;
  std::vector<std::optional<HeldTable>> held_; ///< by table of the plan
  std::vector<uint32_t> columnExtents_;
  LaneWriter writer_;
  // The next members belong to the operation that is being written.
  std::vector<HeldTable> operands_;
  std::vector<VarId> variables_;
  std::vector<VarId> resultScope_;
  Contraction contraction_;
};

void requireLanes(const TableProgram &plan, ElementType type) {
  for (const ProgramVariable &variable : plan.variables)
    if (variable.sliced)
      fail(ErrorKind::MemoryBound,
           "query {}: by the order that was found, the tables of one case exceed the memory bound, "
           "and cases are not computed in slices",
           plan.name);
  if (!traitsOf(plan.kind).fitsCases())
    fail(ErrorKind::Unsupported,
         "query {}: lists of cases (observe cases) are not supported for {} yet", plan.name,
         traitsOf(plan.kind).name);
  if (isIntegerType(type))
    fail(ErrorKind::Unsupported,
         "query {}: lists of cases (observe cases) are not supported in whole numbers yet",
         plan.name);
  for (const Operation &operation : plan.operations)
    if (operation.semiring.combine != Combine::Times || operation.semiring.reduce == Reduce::Min)
      fail(ErrorKind::Unsupported,
           "query {}: lists of cases (observe cases) are supported for sums and maxima of products "
           "only",
           plan.name);
}

} // namespace

RunCosts runCostsOfLanes(RunCosts costs, DeviceKind device) {
  // Time of an address of one case beside others: in a vector register of a thread, or on an H200.
  // The latter is between 1e-7 (alarm, a thread for each case) and 2e-6 (munin4, table-driven
  // teams).
  constexpr double kCoreAddressUs = 5e-4, kGpuAddressUs = 5e-7;
  costs.operationUs = costs.levelUs = costs.crowdedTermUs = 0;
  costs.entryUs = costs.termUs =
      device == DeviceKind::Gpu ? kGpuAddressUs : kCoreAddressUs / costs.threads;
  costs.threads = 1; // no case is divided among threads
  return costs;
}

LaneOptions laneOptionsFor(DeviceKind device, ElementType type) {
  LaneOptions options;
  options.type = type;
  options.costs = laneCostsOf(device, type);
  if (device == DeviceKind::Gpu) {
    options.gatherPrices = {2, 0.5, 1, 4, 8};
    options.storePrices = {0.5, 0};
    options.furtherOrders = 12;
    options.tableElems.insert(options.tableElems.end(), {16384, 65536}); // in the second cache
    options.budgetElems = uint64_t{1} << 18;
  }
  return options;
}

void setVariables(ProgramHead &program, const Model &model, const std::vector<Observation> &fixed) {
  program.variables.clear();
  for (const Variable &variable : model.variables)
    program.variables.push_back(
        {variable.name, variable.extent, variable.labels, variable.auxiliary, variable.unasked});
  program.evidence = {};
  program.evidence.add(fixed);
  for (Finding &finding : program.evidence.findings)
    finding.fixed = true;
}

void setInputs(ProgramHead &program, const Model &model) {
  program.caseInputs.clear();
  for (const VaryingTable &table : program.schema.tables) {
    const Factor &factor = model.factor(table.factors.front());
    if (factor.formula == nullptr)
      program.caseInputs.push_back(
          {factor.name, factor.scope, factor.conditional, statedValues(factor)});
  }
}

LanePlan buildLanePlan(const ObservableModel &observable, const TableProgram &program,
                       const CaseSchema &schema, const LaneOptions &options) {
  LaneBudget all;
  return buildLanePlan(observable, program, schema, options, all);
}

LanePlan buildLanePlan(const ObservableModel &observable, const TableProgram &program,
                       const CaseSchema &schema, const LaneOptions &options, LaneBudget &budget) {
  requireLanes(program, options.type);
  MPF_CHECK(!program.operations.empty() && !options.tableElems.empty() &&
                !options.gatherPrices.empty() && !options.storePrices.empty(),
            "{} operations, {} bounds of tables, {} and {} prices", program.operations.size(),
            options.tableElems.size(), options.gatherPrices.size(), options.storePrices.size());
  const LaneProblem problem{observable, program, schema, options};
  std::vector<double> gatherPrices = options.gatherPrices, storePrices = options.storePrices;
  if (program.operations.size() > options.mostOperationsForTrials) {
    gatherPrices.resize(1);
    storePrices.resize(1);
  }
  std::optional<LanePlan> best;
  double bestUs = 0; // predicted time of all cases
  uint64_t leastRead = 0;
  const auto attempt = [&](uint64_t tableElems, double gatherPrice, double storePrice) {
    if (best && !budget.pays(program.operations.size(), bestUs))
      return;
    LanePlan plan = LaneBuilder(problem, tableElems, gatherPrice, storePrice).build();
    if (!best)
      leastRead = plan.readElems;
    else if (plan.laneCost >= best->laneCost ||
             plan.readElems > saturatingAdd(leastRead, options.budgetElems))
      return;
    best = std::move(plan);
    bestUs = budget.listUs(*best);
  };
  for (const double gatherPrice : gatherPrices)
    for (const double storePrice : storePrices)
      for (const uint64_t tableElems : options.tableElems)
        if (!best || tableElems > 1) // all prices divide about alike without tables of rows
          attempt(tableElems, gatherPrice, storePrice);
  best->operations = program.operations.size();
  return std::move(*best);
}

} // namespace mpf

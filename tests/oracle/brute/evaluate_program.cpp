#include "tests/oracle/brute/evaluate_program.h"

#include "codegen/plan/program/global_order.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mpf::oracle {

namespace {

using States = std::vector<uint32_t>; ///< by VarId

class Evaluator {
public:
  Evaluator(const Model &model, const TableProgram &program)
      : model_(model), program_(program), states_(program.variables.size(), 0) {
    result_.tables.resize(program.tables.size());
  }

  EvaluatedProgram run() {
    for (size_t i = 0; i < program_.tables.size(); ++i)
      if (program_.tables[i].isInput())
        bindInput(TableId{i});
    for (const Operation &operation : program_.operations)
      execute(operation);
    for (const ProgramOutput &output : program_.outputs)
      readOutput(output);
    if (program_.kind == QueryKind::Mpe)
      traceBack();
    return std::move(result_);
  }

private:
  std::vector<long double> &values(TableId id) { return result_.tables[id.index()]; }
  uint32_t extent(VarId v) const { return program_.variables[v.index()].extent; }

  size_t indexIn(const std::vector<VarId> &scope) const {
    size_t index = 0;
    for (const VarId v : scope)
      index = index * extent(v) + states_[v.index()];
    return index;
  }

  /// Calls `body` for every assignment of `scope`, last variable fastest; leaves all at 0.
  template <class Body> void forEach(const std::vector<VarId> &scope, Body body) {
    const uint64_t count = programElems(program_, scope);
    for (const VarId v : scope)
      states_[v.index()] = 0;
    for (uint64_t n = 0; n < count; ++n) {
      body();
      for (size_t i = scope.size(); i-- > 0;) {
        if (++states_[scope[i].index()] < extent(scope[i]))
          break;
        states_[scope[i].index()] = 0;
      }
    }
  }

  void bindInput(TableId id) {
    const ProgramTable &table = program_.table(id);
    if (table.fill) {
      values(id).assign(table.sizeElems, *table.fill);
      return;
    }
    if (table.isIdentity) {
      const bool logs = program_.operations.front().semiring.reduce == Reduce::LogSum;
      const long double one = logs ? 0 : 1;
      const long double zero = logs ? -std::numeric_limits<long double>::infinity() : 0;
      forEach(table.scope, [&] {
        const bool same = states_[table.scope[0].index()] == states_[table.scope[1].index()];
        values(id).push_back(same ? one : zero);
      });
      return;
    }
    for (const Observation &seen : program_.evidence.observations())
      states_[seen.variable.index()] = seen.state;
    const Factor &factor = model_.factor(table.factor);
    forEach(table.scope, [&] {
      for (const VarId v : table.scope) // a variable of a reentered loop replaces that of the first
                                        // one
        if (program_.variables[v.index()].copyOf.valid())
          states_[program_.variables[v.index()].copyOf.index()] = states_[v.index()];
      values(id).push_back((*factor.values)[indexIn(factor.scope)]);
    });
  }

  static long double reduceTwo(Reduce reduce, long double a, long double b) {
    switch (reduce) {
    case Reduce::Sum:
      return a + b;
    case Reduce::Max:
      return std::max(a, b);
    case Reduce::Min:
      return std::min(a, b);
    case Reduce::LogSum:
      break;
    }
    const long double high = std::max(a, b), low = std::min(a, b);
    return std::isinf(high) ? high : high + std::log1p(std::exp(low - high));
  }

  long double combineAll(const std::vector<TableId> &tables, Combine combine) {
    long double product = combine == Combine::Times ? 1 : 0;
    for (const TableId id : tables) {
      const long double value = values(id)[indexIn(program_.table(id).scope)];
      product = combine == Combine::Times ? product * value : product + value;
    }
    return product;
  }

  void execute(const Operation &operation) {
    const ProgramTable &result = program_.table(operation.result);
    if (const uint32_t splits = program_.table(operation.operands[0]).splits; splits > 1)
      return addSplits(operation, splits);
    std::vector<VarId> all = result.scope;
    all.insert(all.end(), operation.reduced.begin(), operation.reduced.end());
    // Compute all slices at once: the meaning of a program does not depend on them.
    const uint64_t elems = programElems(program_, result.scope);
    const uint64_t terms = programElems(program_, operation.reduced);
    std::vector<char> written(elems * result.splits, 0);
    values(operation.result).assign(elems * result.splits, 0);
    uint64_t number = 0; // of the address: reduced variables are fastest
    forEach(all, [&] {
      const long double term = combineAll(operation.operands, operation.semiring.combine);
      const uint64_t part = number++ % terms / (terms / result.splits);
      const size_t at = part * elems + indexIn(result.scope);
      long double &cell = values(operation.result)[at];
      cell = written[at] ? reduceTwo(operation.semiring.reduce, cell, term) : term;
      written[at] = 1;
    });
  }

  void addSplits(const Operation &operation, uint32_t splits) {
    const std::vector<long double> &partial = values(operation.operands[0]);
    const size_t elems = partial.size() / splits;
    std::vector<long double> &sums = values(operation.result);
    sums.assign(partial.begin(), partial.begin() + static_cast<ptrdiff_t>(elems));
    for (size_t i = elems; i < partial.size(); ++i)
      sums[i % elems] = reduceTwo(operation.semiring.reduce, sums[i % elems], partial[i]);
  }

  void readOutput(const ProgramOutput &output) {
    std::vector<long double> entries;
    forEach(output.scope, [&] {
      entries.push_back(values(output.table)[indexIn(program_.table(output.table).scope)]);
    });
    long double sum = 0;
    for (const long double entry : entries)
      sum += entry;
    for (long double &entry : entries)
      entry = output.normalised ? entry / sum : entry;
    MPF_CHECK(result_.outputs.emplace(output.name, std::move(entries)).second,
              "output {} is there twice", output.name);
  }

  void traceBack() {
    for (const Observation &seen : program_.evidence.observations())
      states_[seen.variable.index()] = seen.state;
    // The loops decide the sliced variables: each accumulation is a step, the outermost first.
    std::vector<TracebackStep> steps;
    for (size_t i = program_.operations.size(); i-- > 0;) {
      const Operation &operation = program_.operations[i];
      if (!operation.reduced.empty() && program_.variables[operation.reduced[0].index()].sliced)
        steps.push_back({operation.reduced[0], operation.operands});
    }
    steps.insert(steps.end(), program_.traceback.begin(), program_.traceback.end());
    std::vector<char> isOpen(program_.variables.size(), 0);
    for (const TracebackStep &step : steps)
      isOpen[step.variable.index()] = 1;
    for (const TracebackStep &step : steps) {
      isOpen[step.variable.index()] = 0;
      std::vector<VarId> open;
      for (const TableId id : step.tables)
        for (const VarId v : program_.table(id).scope)
          if (isOpen[v.index()] && std::ranges::find(open, v) == open.end())
            open.push_back(v);
      long double best = -std::numeric_limits<long double>::infinity();
      uint32_t bestState = 0;
      for (uint32_t state = 0; state < extent(step.variable); ++state) {
        states_[step.variable.index()] = state;
        const long double value = bestOver(open, step.tables);
        if (value > best) {
          best = value;
          bestState = state;
        }
      }
      states_[step.variable.index()] = bestState;
    }
    result_.assignment = states_;
  }

  /// The best product over all states of the variables that are still open.
  long double bestOver(std::vector<VarId> open, const std::vector<TableId> &tables) {
    if (open.empty())
      return combineAll(tables, Combine::Times);
    const VarId last = open.back();
    open.pop_back();
    long double best = -std::numeric_limits<long double>::infinity();
    for (uint32_t state = 0; state < extent(last); ++state) {
      states_[last.index()] = state;
      best = std::max(best, bestOver(open, tables));
    }
    return best;
  }

  const Model &model_;
  const TableProgram &program_;
  States states_;
  EvaluatedProgram result_;
};

} // namespace

EvaluatedProgram evaluateProgram(const Model &model, const TableProgram &program) {
  return Evaluator(model, program).run();
}

} // namespace mpf::oracle

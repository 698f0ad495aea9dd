#include "codegen/plan/program/program_memory.h"

#include "codegen/plan/arena/branch_arena.h"
#include "codegen/plan/program/slice_levels.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"
#include "dsl/support/memory/arena.h"
#include "dsl/support/table_layout.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace mpf {

namespace {

double tableBytes(const TableProgram &program, const ProgramTable &table, ElementType type) {
  double bytes = static_cast<double>(table.splits) * elementBytes(type);
  for (const VarId id : table.scope)
    if (table.isInput() || !program.variables[id.index()].sliced)
      bytes *= program.variables[id.index()].extent;
  return bytes;
}

/// The results by operation, as one flat list: allocating a vector for each of 100,000 operations
/// takes longer than all the rest.
class ResultsByOperation {
public:
  /// `operationOf`: the end of a lifetime by which results are listed. Lifetimes to the end of the
  /// run are left out.
  ResultsByOperation(const TableProgram &program, const std::vector<TableLifetime> &lifetimes,
                     size_t TableLifetime::*operationOf)
      : first_(program.operations.size() + 2, 0) {
    const auto forAll = [&](const auto &visit) {
      for (size_t i = 0; i < lifetimes.size(); ++i)
        if (!program.tables[i].isInput() && !program.tables[i].sameAs.valid() &&
            lifetimes[i].*operationOf < program.operations.size())
          visit(TableId{i}, lifetimes[i].*operationOf);
    };
    forAll([&](TableId, size_t operation) { ++first_[operation + 2]; });
    for (size_t i = 2; i < first_.size(); ++i)
      first_[i] += first_[i - 1];
    list_.resize(first_.back());
    forAll([&](TableId id, size_t operation) { list_[first_[operation + 1]++] = id; });
  }
  std::span<const TableId> of(size_t operation) const {
    return std::span(list_).subspan(first_[operation], first_[operation + 1] - first_[operation]);
  }

private:
  std::vector<size_t> first_; ///< by operation, in list_
  std::vector<TableId> list_;
};

/// The operations that write and read each table that is stored, ascending, as one flat list.
class TableUsers {
public:
  explicit TableUsers(const TableProgram &program) : first_(program.tables.size() + 2, 0) {
    const auto forAll = [&program](const auto &visit) {
      for (size_t i = 0; i < program.operations.size(); ++i) {
        const Operation &operation = program.operations[i];
        if (!program.runs(operation))
          continue;
        for (const TableId id : operation.operands)
          visit(program.stored(id), i);
        visit(operation.result, i);
      }
    };
    forAll([&](TableId id, size_t) { ++first_[id.index() + 2]; });
    for (size_t i = 2; i < first_.size(); ++i)
      first_[i] += first_[i - 1];
    list_.resize(first_.back());
    forAll([&](TableId id, size_t operation) { list_[first_[id.index() + 1]++] = operation; });
  }
  std::span<const size_t> of(TableId id) const {
    return std::span(list_).subspan(first_[id.index()],
                                    first_[id.index() + 1] - first_[id.index()]);
  }

private:
  std::vector<size_t> first_; ///< by table, in list_
  std::vector<size_t> list_;
};

/// Results by the operation that needs their memory first, and by the one after which it is free.
struct Moments {
  explicit Moments(const TableProgram &program) : Moments(program, tableLifetimes(program)) {}
  Moments(const TableProgram &program, const std::vector<TableLifetime> &lifetimes)
      : taken(program, lifetimes, &TableLifetime::first),
        freed(program, lifetimes, &TableLifetime::last) {}
  ResultsByOperation taken, freed;
};

/// Returns, by operation, the chain that it ends, or null.
std::vector<const ProgramChain *> chainEnds(const TableProgram &program) {
  std::vector<const ProgramChain *> ends(program.operations.size(), nullptr);
  for (const ProgramChain &chain : program.chains) {
    MPF_CHECK(chain.count > 0 && chain.first.index() + chain.count <= ends.size(),
              "a chain of {} operations from {} of {}", chain.count, chain.first, ends.size());
    ends[chain.operation(chain.count - 1).index()] = &chain;
  }
  return ends;
}

/// The results of earlier operations that a chain reads.
std::vector<TableId> resultsRead(const TableProgram &program, const ProgramChain &chain) {
  std::vector<TableId> tables;
  for (uint32_t step = 0; step < chain.count; ++step)
    for (const TableId id : program.operation(chain.operation(step)).operands)
      if (const ProgramTable &table = program.table(program.stored(id));
          !table.isInput() && table.producer < chain.first)
        tables.push_back(program.stored(id));
  return tables;
}

using Stretch = std::pair<uint64_t, uint64_t>; ///< offset, bytes

/// Sets `apart` to the stretches that the results of an operation must not overlap.
template <class BytesOf>
void keepApart(const TableProgram &program, const ProgramChain *ended, const BytesOf &bytesOf,
               const MemoryPlan &plan, std::vector<Stretch> &apart) {
  apart.clear();
  if (ended != nullptr)
    for (const TableId id : resultsRead(program, *ended))
      apart.emplace_back(plan.offsetBytes[id.index()], bytesOf(id));
}

/// Gives results any memory that is free at their time.
template <class BytesOf>
void placeByTime(const TableProgram &program, const Moments &moments, const BytesOf &bytesOf,
                 MemoryPlan &plan) {
  Arena arena;
  const std::vector<const ProgramChain *> ends = chainEnds(program);
  std::vector<Stretch> apart;
  for (size_t i = 0; i < program.operations.size(); ++i) {
    keepApart(program, ends[i], bytesOf, plan, apart);
    for (const TableId id : moments.taken.of(i))
      plan.offsetBytes[id.index()] =
          arena.allocateApart(bytesOf(id), tableAlignBytes(bytesOf(id)), apart);
    for (const TableId id : moments.freed.of(i))
      arena.release(plan.offsetBytes[id.index()], bytesOf(id));
  }
  plan.workArenaBytes = arena.highWaterBytes();
}

/// Gives results memory of their branch.
template <class BytesOf>
void placeByBranch(const TableProgram &program, const Moments &moments, const BytesOf &bytesOf,
                   MemoryPlan &plan) {
  BranchArena arena(program.operations.size());
  const std::vector<const ProgramChain *> ends = chainEnds(program);
  const TableUsers users(program);
  std::vector<size_t> producers;
  std::vector<Stretch> apart;
  for (size_t i = 0; i < program.operations.size(); ++i) {
    const Operation &operation = program.operations[i];
    if (!program.runs(operation))
      continue;
    producers.clear();
    for (const TableId id : operation.operands)
      if (const OpId producer = program.table(program.stored(id)).producer; producer.valid())
        producers.push_back(producer.index());
    arena.start(i, producers);
    keepApart(program, ends[i], bytesOf, plan, apart);
    for (const TableId id : moments.taken.of(i))
      plan.offsetBytes[id.index()] =
          arena.allocate(bytesOf(id), tableAlignBytes(bytesOf(id)), apart);
    for (const TableId id : moments.freed.of(i))
      arena.release(plan.offsetBytes[id.index()], bytesOf(id), users.of(id));
  }
  plan.workArenaBytes = arena.highWaterBytes();
}

double log2PeakBytes(const TableProgram &program, const Moments &moments, ElementType type) {
  double live = 0, peak = 0;
  for (const ProgramTable &table : program.tables)
    if (table.isInput() && !table.sameAs.valid())
      live += tableBytes(program, table, type);
  peak = live;
  for (size_t i = 0; i < program.operations.size(); ++i) {
    for (const TableId id : moments.taken.of(i))
      live += tableBytes(program, program.table(id), type);
    peak = std::max(peak, live);
    for (const TableId id : moments.freed.of(i))
      live -= tableBytes(program, program.table(id), type);
  }
  return std::log2(std::max(peak, 1.0));
}

} // namespace

std::vector<TableLifetime> tableLifetimes(const TableProgram &program) {
  const SliceLevels levels(program);
  const std::vector<LoopRange> loops = loopRanges(program, levels);
  const size_t end = program.operations.size();
  std::vector<TableLifetime> lifetimes(program.tables.size(), {0, end});
  for (size_t i = 0; i < end; ++i) {
    const Operation &operation = program.operations[i];
    if (!program.runs(operation))
      continue;
    if (levels.count() == 0) {
      lifetimes[operation.result.index()] = {i, i};
      for (const TableId id : operation.operands)
        lifetimes[program.stored(id).index()].last = i;
      continue;
    }
    const uint32_t level = levels.ofOperation(operation);
    const bool accumulates = levels.accumulates(operation);
    MPF_CHECK(!accumulates || level > 0, "operation {} adds up slices outside of all loops", i);
    lifetimes[operation.result.index()] = {accumulates ? loops[level - 1].begin : i, i};
    for (const TableId id : operation.operands) {
      size_t &last = lifetimes[program.stored(id).index()].last;
      const uint32_t own = levels.ofScope(program.table(id).scope);
      // A table from outside the loop: the next iteration needs it again.
      const bool outside = own != level && levels.tree().contains(own, level);
      const size_t until = outside ? loops[levels.tree().childTowards(own, level) - 1].end - 1 : i;
      last = std::max(last, until);
    }
  }
  for (const ProgramOutput &output : program.outputs)
    lifetimes[program.stored(output.table).index()].last = end;
  for (const TracebackStep &step : program.traceback)
    for (const TableId id : step.tables)
      lifetimes[program.stored(id).index()].last = end;
  for (size_t i = 0; i < lifetimes.size(); ++i)
    if (program.tables[i].isInput() || program.tables[i].kept)
      lifetimes[i] = {0, end};
  for (size_t i = 0; i < lifetimes.size(); ++i)
    lifetimes[i] = lifetimes[program.stored(TableId{i}).index()];
  return lifetimes;
}

bool hasSignedProducts(const TableProgram &program, const Model &model, ElementType type) {
  if (isIntegerType(type)) // negative values are refused
    return false;
  const bool multiplies = std::any_of(
      program.operations.begin(), program.operations.end(),
      [](const Operation &operation) { return operation.semiring.combine == Combine::Times; });
  const auto isNegative = [&model](const ProgramTable &table) {
    return table.factor.valid() && mayBeNegative(model.factor(table.factor));
  };
  return multiplies && std::any_of(program.tables.begin(), program.tables.end(), isNegative);
}

MemoryPlan planMemory(const TableProgram &program, ElementType type, bool signedValues) {
  MemoryPlan plan;
  const Moments moments(program);
  // Below 2^61 in all, no sum here overflows, sign bytes included.
  constexpr double kMostLog2Bytes = 61;
  if (log2AllBytes(program, type) > kMostLog2Bytes &&
      log2PeakBytes(program, moments, type) > kMostLog2Bytes) {
    plan.inputArenaBytes = plan.workArenaBytes = plan.peakBytes = UINT64_MAX;
    return plan;
  }
  const auto bytesOf = [&](TableId id) {
    const uint64_t entryBytes = elementBytes(type) + (signedValues ? 1 : 0);
    return roundUp(program.table(id).sizeElems * entryBytes, kTableGrainBytes);
  };
  plan.offsetBytes.assign(program.tables.size(), 0);
  for (size_t i = 0; i < program.tables.size(); ++i)
    if (program.tables[i].isInput() && !program.tables[i].sameAs.valid()) {
      const uint64_t bytes = bytesOf(TableId{i});
      plan.offsetBytes[i] = roundUp(plan.inputArenaBytes, tableAlignBytes(bytes));
      plan.inputArenaBytes = plan.offsetBytes[i] + bytes;
    }
  if (program.separateBranches)
    placeByBranch(program, moments, bytesOf, plan);
  else
    placeByTime(program, moments, bytesOf, plan);
  for (size_t i = 0; i < program.tables.size(); ++i)
    plan.offsetBytes[i] = plan.offsetBytes[program.stored(TableId{i}).index()];
  MPF_CHECK(plan.inputArenaBytes <= UINT64_MAX - plan.workArenaBytes,
            "{} bytes of inputs and {} of results", plan.inputArenaBytes, plan.workArenaBytes);
  plan.peakBytes = saturatingAdd(plan.inputArenaBytes, plan.workArenaBytes);
  return plan;
}

double log2AllBytes(const TableProgram &program, ElementType type) {
  double elems = 0;
  for (const ProgramTable &table : program.tables)
    elems += static_cast<double>(table.sizeElems);
  return std::log2(std::max(elems, 1.0) * elementBytes(type));
}

double log2PeakBytes(const TableProgram &program, ElementType type) {
  return log2PeakBytes(program, Moments(program), type);
}

} // namespace mpf

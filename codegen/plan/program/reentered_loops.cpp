#include "codegen/plan/program/reentered_loops.h"

#include "codegen/plan/program/program_edit.h"
#include "codegen/plan/program/slice_copies.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace mpf {

ReenteredLoops::ReenteredLoops(TableProgram &program) : program_(program), regions_(1) {
  order_.emplace(program);
  levels_.emplace(program);
  needs_.note(program, *levels_);
  upwardNeeds_ = needs_;
}

VarId ReenteredLoops::variableOf(TableId sum) const {
  const Operation &operation = program_.operation(program_.table(sum).producer);
  MPF_CHECK(operation.reduced.size() == 1, "the sum in table {} is over {} loops", sum,
            operation.reduced.size());
  return operation.reduced.front();
}

/// Returns the innermost of the reentered loops of `region` that the table depends on.
ReenteredLoops::Region ReenteredLoops::regionOf(TableId id, Region region) const {
  const std::vector<VarId> &scope = program_.table(id).scope;
  const auto depends = [&](VarId loop) {
    for (const VarId variable : scope)
      if (levels_->ofVariable(variable) == 0 || variable == loop)
        return variable == loop; // sliced ones come first
    return false;
  };
  while (region != kFirst && !depends(regions_[region].from))
    region = regions_[region].parent;
  return region;
}

bool ReenteredLoops::isMade(TableId id, Region region) const {
  const Region own = regionOf(id, region);
  return own == kFirst || regions_[own].made.contains(id);
}

VarId ReenteredLoops::renamed(VarId id, Region region) const {
  for (; region != kFirst; region = regions_[region].parent)
    if (regions_[region].from == id)
      return regions_[region].to;
  return id;
}

std::vector<VarId> ReenteredLoops::scope(TableId id, Region region) const {
  std::vector<VarId> scope = program_.table(id).scope;
  for (VarId &variable : scope) {
    if (levels_->ofVariable(variable) == 0)
      break;
    variable = renamed(variable, region);
  }
  for (size_t i = 1; i < scope.size(); ++i) // a reentered loop is inside those around the first one
    MPF_CHECK(order_->before(scope[i - 1], scope[i]), "variables {} and {} change places",
              scope[i - 1], scope[i]);
  return scope;
}

ReenteredLoops::Region ReenteredLoops::enter(TableId sum, TableId down, Region region) {
  needs_.note(program_, *levels_);
  const Region around = regionOf(sum, region);
  const uint64_t ended = needs_.ended(down);
  const uint32_t first = levels_->ofVariable(variableOf(sum));
  if (around == kFirst && isSaidInside(down, first) && !needs_.reaches(ended, first)) {
    needs_.add(first, ended, levels_->tree());
    return region; // the first loop waits for the message
  }
  const Region inside = addLoop(
      sum, around,
      std::max(levels_->ofScope(scope(sum, around)), levels_->ofScope(program_.table(down).scope)));
  needs_.add(levels_->count(), ended, levels_->tree());
  return inside;
}

/// Whether `down` depends on no loop but `loop` and those around it.
bool ReenteredLoops::isSaidInside(TableId down, uint32_t loop) const {
  const std::vector<VarId> &scope = program_.table(down).scope;
  return std::all_of(scope.begin(), scope.end(), [&](VarId id) {
    return levels_->tree().contains(levels_->ofVariable(id), loop);
  });
}

/// Returns the reentered loop in which upward messages are computed again. Marginals are computed
/// in another one, because they may have to wait for its sum.
ReenteredLoops::Region ReenteredLoops::upwardLoop(TableId sum, Region around) {
  const auto known = regions_[around].upwardLoops.find(sum);
  if (known != regions_[around].upwardLoops.end())
    return known->second;
  const Region inside = addLoop(sum, around, levels_->ofScope(scope(sum, around)));
  return regions_[around].upwardLoops[sum] = inside;
}

ReenteredLoops::Region ReenteredLoops::addLoop(TableId sum, Region around, uint32_t parent) {
  const uint32_t count = levels_->count();
  MPF_CHECK(count < kMaxLoops, "{} loops and one more, at most {} are possible", count, kMaxLoops);
  const VarId from = variableOf(sum), to{program_.variables.size()};
  ProgramVariable variable;
  variable.name = "again(" + program_.variables[from.index()].name + ")";
  variable.extent = program_.variables[from.index()].extent;
  variable.sliced = true;
  variable.copyOf = from;
  program_.variables.push_back(std::move(variable));
  program_.order.insert(program_.order.begin() + count, to);
  std::vector<uint32_t> parents = levels_->tree().parents();
  parents.push_back(parent);
  order_.emplace(program_);
  levels_.emplace(program_, LoopTree(std::move(parents)));
  const auto region = static_cast<Region>(regions_.size());
  regions_.push_back({around, from, to, {}, {}});
  // The reentered loop may come to read any table that the first one reads.
  needs_.add(count + 1, upwardNeeds_.of(levels_->ofVariable(from)), levels_->tree());
  return region;
}

TableId ReenteredLoops::readAgain(TableId input, Region region) {
  ProgramTable table = program_.table(input);
  table.scope = scope(input, region);
  table.sameAs = program_.stored(input);
  program_.tables.push_back(std::move(table));
  return TableId{program_.tables.size() - 1};
}

TableId ReenteredLoops::table(TableId id, Region region) {
  std::vector<std::pair<TableId, Region>> wanted{{id, region}}; // deep trees: no recursion
  while (!wanted.empty()) {
    const auto [next, around] = wanted.back();
    const Region own = regionOf(next, around);
    if (isMade(next, own)) {
      wanted.pop_back();
      continue;
    }
    if (program_.table(next).isInput()) {
      const TableId again = readAgain(next, own);
      regions_[own].made[next] = again;
      continue;
    }
    const Operation operation = program_.operation(program_.table(next).producer);
    const bool accumulates = levels_->accumulates(operation);
    const Region inside = accumulates ? upwardLoop(next, own) : own;
    const size_t before = wanted.size();
    for (const TableId operand : operation.operands)
      if (!isMade(operand, inside))
        wanted.emplace_back(operand, inside);
    if (wanted.size() > before)
      continue;
    std::vector<TableId> operands;
    for (const TableId operand : operation.operands)
      operands.push_back(table(operand, inside)); // all of them have been made
    const std::vector<VarId> reduced =
        accumulates ? std::vector{regions_[inside].to} : operation.reduced;
    const OpId again =
        appendOperation(program_, *order_, operation.semiring, std::move(operands), reduced);
    regions_[own].made[next] = program_.operation(again).result;
  }
  const Region own = regionOf(id, region);
  return own == kFirst ? id : regions_[own].made.at(id);
}

size_t loopsAtMost(const TableProgram &upward) {
  const SliceLevels levels(upward);
  std::vector<char> isEarly(levels.count() + 1, 0), isSummedOn(levels.count() + 1, 0);
  for (const Operation &operation : upward.operations) {
    if (!levels.accumulates(operation))
      continue;
    const uint32_t loop = levels.ofOperation(operation);
    isEarly[loop] = endsEarly(upward, operation);
    const OpId inner = upward.table(operation.operands[0]).producer;
    if (inner.valid() && levels.accumulates(upward.operation(inner)))
      isSummedOn[levels.ofOperation(upward.operation(inner))] = 1; // nothing else reads it
  }
  // The numbers of reentered loops by loop: those that compute its sum again, and those for the
  // marginals inside it.
  std::vector<size_t> up(levels.count() + 1, 1), down(levels.count() + 1, 0);
  for (uint32_t loop = levels.count(); loop > 0; --loop) {
    const uint32_t around = levels.tree().parent(loop);
    down[loop] += isEarly[loop];
    up[around] += up[loop];
    down[around] += down[loop] + (isEarly[around] && !isSummedOn[loop] ? up[loop] : 0);
  }
  return levels.count() + down[0];
}

bool endsEarly(const TableProgram &program, const Operation &sum) {
  const std::vector<VarId> &scope = program.table(sum.result).scope;
  return !scope.empty() && !program.variables[scope.back().index()].sliced;
}

bool isReentered(const ProgramVariable &variable) {
  return variable.sliced && variable.copyOf.valid();
}

bool isReenteredInput(const TableProgram &program, const ProgramTable &table) {
  return table.isInput() && std::any_of(table.scope.begin(), table.scope.end(), [&](VarId id) {
           return isReentered(program.variables[id.index()]);
         });
}

std::vector<TableId> firstReadings(const TableProgram &program) {
  // Every factor enters a program once, and so do the identity of a copy and the constant of a
  // variable.
  const auto keyOf = [&program](const ProgramTable &table) {
    const int origin = table.factor.valid() ? 0 : table.isIdentity ? 1 : 2;
    VarId last = table.scope.back();
    if (origin == 2)
      last = originalOf(program, last);
    return std::tuple(origin, origin == 0 ? table.factor.value : last.value);
  };
  std::vector<TableId> first;
  std::map<std::tuple<int, uint32_t>, TableId> known; // looked up, never iterated over
  bool any = false;
  for (size_t i = 0; i < program.tables.size(); ++i) {
    first.emplace_back(i);
    any |= isReenteredInput(program, program.tables[i]);
  }
  for (size_t i = 0; any && i < program.tables.size(); ++i) {
    const ProgramTable &table = program.tables[i];
    if (!table.isInput() || table.scope.empty())
      continue;
    if (!isReenteredInput(program, table))
      known.try_emplace(keyOf(table), TableId{i});
    else if (const auto at = known.find(keyOf(table)); at != known.end())
      first[i] = at->second;
  }
  return first;
}

} // namespace mpf

#include "codegen/plan/passes/pass_eliminate.h"

#include "codegen/plan/program/program_edit.h"
#include "codegen/plan/program/reentered_loops.h"
#include "codegen/plan/program/slice_levels.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace mpf {

namespace {

class Buckets {
public:
  Buckets(TableProgram &program, LoopEnds ends)
      : program_(program), order_(program), levels_(program), whole_(program.operations.front()),
        ends_(ends), heldCount_(levels_.count() + program.table(whole_.result).scope.size()),
        buckets_(program.order.size() + 1), waiting_(levels_.count() + 1, 0),
        largestElems_(levels_.count() + 1, 0), ended_(levels_.count() + 1, 0) {}

  void run() {
    // The whole operation goes. Its result goes too if it is the last table, as it is without
    // slices; else it stays for the rest of this pass.
    program_.operations.clear();
    if (whole_.result.index() + 1 == program_.tables.size())
      program_.tables.pop_back();
    program_.operations.reserve(program_.order.size() + 1);
    program_.tables.reserve(program_.tables.size() + program_.order.size() + 1);
    for (const TableId id : whole_.operands)
      place(id);
    for (size_t position = program_.order.size(); position > heldCount_; --position)
      eliminate(program_.order[position - 1], buckets_[position]);
    for (uint32_t level = levels_.count(); level > 0; --level)
      if (!ended_[level])
        accumulate(level);
    program_.outputs.front().table = productOfRest();
    addTraceback();
    std::vector<OpId> all;
    for (size_t i = 0; i < program_.operations.size(); ++i)
      all.push_back(OpId{i});
    compactProgram(program_, all);
  }

private:
  /// Puts a table into the bucket of its least significant variable, the first to be eliminated.
  /// Bucket 0 collects the tables over output variables and sliced variables alone.
  void place(TableId id) {
    const auto &scope = program_.table(id).scope;
    const size_t bucket = scope.empty() ? 0 : size_t{order_.position(scope.back())} + 1;
    buckets_[bucket <= heldCount_ ? 0 : bucket].push_back(id);
    if (!isOfLoopsAlone(id))
      forLoops(id, [this](uint32_t level) { ++waiting_[level]; });
  }

  /// Whether all variables of the table are sliced: it has one number for each slice.
  bool isOfLoopsAlone(TableId id) const {
    const auto &scope = program_.table(id).scope;
    return !scope.empty() && levels_.ofVariable(scope.back()) > 0;
  }

  /// Calls f for the loops that the table depends on, the outermost first.
  template <class F> void forLoops(TableId id, F f) const {
    for (const VarId variable : program_.table(id).scope) {
      const uint32_t level = levels_.ofVariable(variable);
      if (level == 0)
        break; // sliced variables come first
      f(level);
    }
  }

  void eliminate(VarId variable, const std::vector<TableId> &bucket) {
    MPF_CHECK(!bucket.empty(), "variable {} has an empty bucket",
              program_.variables[variable.index()].name);
    TableId message =
        resultOf(appendOperation(program_, order_, whole_.semiring, bucket, {variable}));
    for (const TableId id : bucket)
      if (!isOfLoopsAlone(id))
        forLoops(id, [this](uint32_t level) { --waiting_[level]; });
    forLoops(message, [&](uint32_t level) {
      largestElems_[level] = std::max(largestElems_[level], entries(message));
    });
    while (const uint32_t level = loopThatEnds(message))
      message = endLoop(level, message);
    place(message);
  }

  double entries(TableId id) const {
    return static_cast<double>(sliceElems(program_, program_.table(id).scope));
  }

  /// The innermost loop of a message that is about to be placed, if it ends there; 0: it does not.
  uint32_t loopThatEnds(TableId message) const {
    const auto &scope = program_.table(message).scope;
    const uint32_t level = levels_.ofScope(scope);
    if (ends_ == LoopEnds::Last || level == 0 || waiting_[level] > 0 ||
        order_.position(scope.back()) < heldCount_)
      return 0;
    if (ends_ == LoopEnds::WhenSmall &&
        entries(message) * std::exp2(kLog2SmallSum) > largestElems_[level])
      return 0;
    // Tables of one number per slice that depend on the loop are multiplied in. They must not bring
    // in loops that the message does not depend on.
    const auto isBefore = [this](VarId a, VarId b) {
      return order_.position(a) < order_.position(b);
    };
    for (const TableId id : buckets_[0]) {
      const auto &loops = program_.table(id).scope;
      if (dependsOn(id, level) &&
          !std::includes(scope.begin(), scope.end(), loops.begin(), loops.end(), isBefore))
        return 0;
    }
    return level;
  }

  bool dependsOn(TableId id, uint32_t level) const {
    const auto &scope = program_.table(id).scope;
    return std::find(scope.begin(), scope.end(), program_.order[level - 1]) != scope.end();
  }

  /// The message times all tables of one number per slice that depend on the loop, added up over
  /// the loop.
  TableId endLoop(uint32_t level, TableId message) {
    std::vector<TableId> inside{message}, outside;
    for (const TableId id : buckets_[0])
      (dependsOn(id, level) ? inside : outside).push_back(id);
    MPF_CHECK(!ended_[level], "loop {} ends twice", level);
    buckets_[0] = std::move(outside);
    ended_[level] = 1;
    return accumulated(level, std::move(inside));
  }

  TableId accumulated(uint32_t level, std::vector<TableId> inside) {
    if (inside.size() > 1 || program_.table(inside[0]).isInput())
      inside = {resultOf(appendOperation(program_, order_, whole_.semiring, inside, {}))};
    const VarId variable = program_.order[level - 1];
    return resultOf(appendOperation(program_, order_, whole_.semiring, inside, {variable}));
  }

  /// Ends loop `level`: the product of all that depends on its variable, added up over it. Deeper
  /// loops have ended already.
  void accumulate(uint32_t level) {
    std::vector<TableId> inside, outside;
    for (const TableId id : buckets_[0])
      (levels_.ofScope(program_.table(id).scope) == level ? inside : outside).push_back(id);
    const VarId variable = program_.order[level - 1];
    MPF_CHECK(!inside.empty(), "sliced variable {} has an empty bucket",
              program_.variables[variable.index()].name);
    buckets_[0] = std::move(outside);
    place(accumulated(level, std::move(inside)));
  }

  TableId resultOf(OpId id) const { return program_.operation(id).result; }

  TableId productOfRest() {
    const std::vector<TableId> &rest = buckets_[0];
    MPF_CHECK(!rest.empty(), "nothing is left of {} after {} operations", program_.name,
              program_.operations.size());
    if (rest.size() == 1 && !program_.table(rest[0]).isInput())
      return rest[0];
    return program_.operation(appendOperation(program_, order_, whole_.semiring, rest, {})).result;
  }

  void addTraceback() {
    if (!traitsOf(program_.kind).decoding)
      return;
    // The loops decide the sliced variables; held ones keep all states.
    for (size_t position = heldCount_; position < program_.order.size(); ++position)
      program_.traceback.push_back({program_.order[position], buckets_[position + 1]});
    // Variables in no table may have any state; an empty product gives them the first one.
    for (size_t i = 0; i < program_.variables.size(); ++i)
      if (!program_.observes(VarId{i}) && order_.position(VarId{i}) == GlobalOrder::kAbsent)
        program_.traceback.push_back({VarId{i}, {}});
  }

  TableProgram &program_;
  const GlobalOrder order_;
  const SliceLevels levels_;
  const Operation whole_;
  const LoopEnds ends_;
  const size_t heldCount_;                    ///< sliced variables and output variables
  std::vector<std::vector<TableId>> buckets_; ///< by position of the variable, plus one
  // The next three vectors are by loop.
  std::vector<size_t> waiting_;      ///< tables that depend on the loop, isOfLoopsAlone left out
  std::vector<double> largestElems_; ///< entries of its largest message in one slice
  std::vector<char> ended_;
};

} // namespace

void passEliminate(TableProgram &program, LoopEnds ends) {
  MPF_CHECK(program.operations.size() == 1, "elimination starts from one operation, not {}",
            program.operations.size());
  MPF_CHECK(ends == LoopEnds::Last || !traitsOf(program.kind).decoding, "loops of {} must end last",
            program.name);
  const bool goesBack = traitsOf(program.kind).goesDownward && ends != LoopEnds::Last;
  std::optional<TableProgram> before;
  if (goesBack)
    before = program;
  Buckets(program, ends).run();
  if (goesBack && loopsAtMost(program) > kMaxLoops) {
    program = std::move(*before);
    Buckets(program, LoopEnds::Last).run();
  }
}

} // namespace mpf

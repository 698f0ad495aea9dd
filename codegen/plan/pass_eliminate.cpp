#include "codegen/plan/pass_eliminate.h"

#include "codegen/plan/program_edit.h"
#include "codegen/plan/slice_levels.h"
#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

namespace {

class Buckets {
public:
  explicit Buckets(TableProgram &program)
      : program_(program), order_(program), levels_(program), whole_(program.operations.front()),
        heldCount_(levels_.count() + program.table(whole_.result).scope.size()),
        buckets_(program.order.size() + 1) {}

  void run() {
    // The whole operation goes; its result table stays for the rest of this pass and is replaced.
    program_.operations.clear();
    for (const TableId id : whole_.operands)
      place(id);
    for (size_t position = program_.order.size(); position > heldCount_; --position)
      eliminate(program_.order[position - 1], buckets_[position]);
    for (uint32_t level = levels_.count(); level > 0; --level)
      accumulate(level);
    program_.outputs.front().table = productOfRest();
    addTraceback();
    std::vector<OpId> all;
    for (size_t i = 0; i < program_.operations.size(); ++i)
      all.push_back(OpId{i});
    compactProgram(program_, all);
  }

private:
  /// A table waits in the bucket of its least significant variable, the first to be eliminated;
  /// bucket 0 collects those whose variables are all kept or sliced.
  void place(TableId id) {
    const auto &scope = program_.table(id).scope;
    const size_t bucket = scope.empty() ? 0 : size_t{order_.position(scope.back())} + 1;
    buckets_[bucket <= heldCount_ ? 0 : bucket].push_back(id);
  }

  void eliminate(VarId variable, const std::vector<TableId> &bucket) {
    MPF_CHECK(!bucket.empty(), "variable {} has an empty bucket",
              program_.variables[variable.index()].name);
    const OpId id = appendOperation(program_, order_, whole_.semiring, bucket, {variable});
    place(program_.operation(id).result);
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
    if (inside.size() > 1 || program_.table(inside[0]).isInput())
      inside = {resultOf(appendOperation(program_, order_, whole_.semiring, inside, {}))};
    buckets_[0] = std::move(outside);
    place(resultOf(appendOperation(program_, order_, whole_.semiring, inside, {variable})));
  }

  TableId resultOf(OpId id) const { return program_.operation(id).result; }

  TableId productOfRest() {
    const std::vector<TableId> &rest = buckets_[0];
    if (rest.size() == 1 && !program_.table(rest[0]).isInput())
      return rest[0];
    return program_.operation(appendOperation(program_, order_, whole_.semiring, rest, {})).result;
  }

  void addTraceback() {
    if (program_.kind != QueryKind::Best)
      return;
    // The loops decide the sliced variables.
    for (size_t position = levels_.count(); position < program_.order.size(); ++position)
      program_.traceback.push_back({program_.order[position], buckets_[position + 1]});
    // Variables that carry nothing have any state; the first one, by an empty product.
    for (size_t i = 0; i < program_.variables.size(); ++i)
      if (!program_.variables[i].observed && order_.position(VarId{i}) == GlobalOrder::kAbsent)
        program_.traceback.push_back({VarId{i}, {}});
  }

  TableProgram &program_;
  const GlobalOrder order_;
  const SliceLevels levels_;
  const Operation whole_;
  const size_t heldCount_;                    ///< sliced and kept variables
  std::vector<std::vector<TableId>> buckets_; ///< by position of the variable, plus one
};

} // namespace

void passEliminate(TableProgram &program) {
  MPF_CHECK(program.operations.size() == 1, "elimination starts from one operation, not {}",
            program.operations.size());
  Buckets(program).run();
}

} // namespace mpf

#include "codegen/plan/pass_eliminate.h"

#include "codegen/plan/program_edit.h"
#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

namespace {

class Buckets {
public:
  explicit Buckets(TableProgram &program)
      : program_(program), order_(program), whole_(program.operations.front()),
        keptCount_(program.table(whole_.result).scope.size()), buckets_(program.order.size() + 1) {}

  void run() {
    // The whole operation goes; its result table stays for the rest of this pass and is replaced.
    program_.operations.clear();
    for (const TableId id : whole_.operands)
      place(id);
    for (size_t position = program_.order.size(); position > keptCount_; --position)
      eliminate(program_.order[position - 1], buckets_[position]);
    program_.outputs.front().table = productOfRest();
    addTraceback();
    std::vector<OpId> all;
    for (size_t i = 0; i < program_.operations.size(); ++i)
      all.push_back(OpId{i});
    compactProgram(program_, all);
  }

private:
  /// A table waits in the bucket of its least significant variable, the first to be eliminated;
  /// bucket 0 collects those whose variables are all kept.
  void place(TableId id) {
    const auto &scope = program_.table(id).scope;
    const size_t bucket = scope.empty() ? 0 : size_t{order_.position(scope.back())} + 1;
    buckets_[bucket <= keptCount_ ? 0 : bucket].push_back(id);
  }

  void eliminate(VarId variable, const std::vector<TableId> &bucket) {
    MPF_CHECK(!bucket.empty(), "variable {} has an empty bucket",
              program_.variables[variable.index()].name);
    const OpId id = appendOperation(program_, order_, whole_.semiring, bucket, {variable});
    place(program_.operation(id).result);
  }

  TableId productOfRest() {
    const std::vector<TableId> &rest = buckets_[0];
    if (rest.size() == 1 && !program_.table(rest[0]).isInput())
      return rest[0];
    return program_.operation(appendOperation(program_, order_, whole_.semiring, rest, {})).result;
  }

  void addTraceback() {
    if (program_.kind != QueryKind::Best)
      return;
    for (size_t position = 0; position < program_.order.size(); ++position)
      program_.traceback.push_back({program_.order[position], buckets_[position + 1]});
    // Variables that carry nothing have any state; the first one, by an empty product.
    for (size_t i = 0; i < program_.variables.size(); ++i)
      if (!program_.variables[i].observed && order_.position(VarId{i}) == GlobalOrder::kAbsent)
        program_.traceback.push_back({VarId{i}, {}});
  }

  TableProgram &program_;
  const GlobalOrder order_;
  const Operation whole_;
  const size_t keptCount_;
  std::vector<std::vector<TableId>> buckets_; ///< by position of the variable, plus one
};

} // namespace

void passEliminate(TableProgram &program) {
  MPF_CHECK(program.operations.size() == 1, "elimination starts from one operation, not {}",
            program.operations.size());
  Buckets(program).run();
}

} // namespace mpf

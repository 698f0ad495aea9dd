#include "codegen/plan/program/operation_key.h"

#include "codegen/plan/program/program_edit.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <utility>

namespace mpf {

namespace {

/// Appends the number of variables of `scope` and their places in `address`. Both follow the global
/// order, so one walk finds them all.
void appendPlaces(const std::vector<VarId> &address, const std::vector<VarId> &scope,
                  std::vector<uint32_t> &key) {
  key.push_back(static_cast<uint32_t>(scope.size()));
  auto at = address.begin();
  for (const VarId id : scope) {
    at = std::find(at, address.end(), id);
    MPF_CHECK(at != address.end(), "variable {} is not among the {} of the operands", id,
              address.size());
    key.push_back(static_cast<uint32_t>(at - address.begin()));
  }
}

/// Sorts the stretches of `key` that begin at `begins`, one after another to its end.
void sortStretches(std::vector<uint32_t> &key, const std::vector<size_t> &begins) {
  const auto at = [&key](size_t i) { return key.begin() + static_cast<std::ptrdiff_t>(i); };
  std::vector<std::pair<size_t, size_t>> stretches;
  stretches.reserve(begins.size());
  for (size_t i = 0; i < begins.size(); ++i)
    stretches.emplace_back(begins[i], i + 1 < begins.size() ? begins[i + 1] : key.size());
  const auto before = [&at](const auto &a, const auto &b) {
    return std::lexicographical_compare(at(a.first), at(a.second), at(b.first), at(b.second));
  };
  if (std::is_sorted(stretches.begin(), stretches.end(), before))
    return;
  std::sort(stretches.begin(), stretches.end(), before);
  std::vector<uint32_t> sorted;
  sorted.reserve(key.size() - begins.front());
  for (const auto &[begin, end] : stretches)
    sorted.insert(sorted.end(), at(begin), at(end));
  std::copy(sorted.begin(), sorted.end(), at(begins.front()));
}

} // namespace

std::vector<uint32_t> operationKey(const TableProgram &program, const GlobalOrder &order,
                                   const Operation &operation) {
  const std::vector<VarId> address = unionScope(program, order, operation.operands);
  size_t words = 5 + 2 * address.size() + operation.reduced.size();
  for (const TableId id : operation.operands)
    words += 2 + program.table(id).scope.size();
  std::vector<uint32_t> key;
  key.reserve(words);
  key.push_back(static_cast<uint32_t>(operation.semiring.reduce));
  key.push_back(static_cast<uint32_t>(operation.semiring.combine));
  key.push_back(static_cast<uint32_t>(address.size()));
  for (const VarId id : address) {
    const ProgramVariable &variable = program.variables[id.index()];
    key.push_back(variable.extent);
    key.push_back(variable.sliced ? id.value : UINT32_MAX); // a slice belongs to one variable
  }
  appendPlaces(address, operation.reduced, key);
  key.push_back(program.table(operation.result).splits);
  std::vector<size_t> begins;
  begins.reserve(operation.operands.size());
  for (const TableId id : operation.operands) {
    begins.push_back(key.size());
    key.push_back(program.stored(id).value);
    appendPlaces(address, program.table(id).scope, key);
  }
  if (begins.size() > 1)
    sortStretches(key, begins);
  return key;
}

const std::vector<uint32_t> &WholeKeys::of(OpId id, const GlobalOrder &order) {
  const auto [at, isNew] = known_.try_emplace(id.index());
  if (isNew)
    at->second = operationKey(program_, order, wholeSum(program_, id));
  return at->second;
}

} // namespace mpf

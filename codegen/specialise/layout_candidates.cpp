#include "codegen/specialise/layout_candidates.h"

#include "codegen/kernel/form/choose_layouts.h"
#include "codegen/plan/program/slice_levels.h"
#include "codegen/plan/program/storage_order.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace mpf {

namespace {

/// Length of rows that whole warps read, where an operand's fastest digit is shorter.
constexpr uint64_t kWarpRowElems = 32;

using Membership = std::vector<bool>; ///< by table: the operands, then the result

class Candidates {
public:
  Candidates(const TableProgram &program, OpId id)
      : program_(program), operation_(program.operation(id)), tables_(operation_.operands) {
    tables_.push_back(operation_.result);
  }

  std::vector<LayoutCandidate> all() {
    const std::vector<VarId> &kept = program_.table(operation_.result).scope;
    const DigitForm free = formOf(kept, true);
    if (free.keptCount() == 0)
      return {}; // one number: operands are read in any order
    for (const std::vector<DigitId> &order : layoutOrders(free, kLayoutOrdersTried))
      add(free, order);
    addFollowing(storageOrder(program_, operation_.result));
    addFollowing(likeLargest(kept));
    return std::move(candidates_);
  }

private:
  bool isDigit(VarId id) const {
    const ProgramVariable &variable = program_.variables[id.index()];
    return variable.extent > 1 && !variable.sliced;
  }

  Membership membershipOf(VarId id) const {
    Membership in;
    for (const TableId table : tables_) {
      const std::vector<VarId> &scope = program_.table(table).scope;
      in.push_back(std::find(scope.begin(), scope.end(), id) != scope.end());
    }
    return in;
  }

  /// Returns the form with digits of `kept` in this order, then those of the reduced variables.
  /// `fuseApart`: kept variables become one digit at any distance, not only if they are neighbours.
  DigitForm formOf(const std::vector<VarId> &kept, bool fuseApart) const {
    DigitForm form;
    form.semiring = operation_.semiring;
    std::vector<Membership> members; // by digit
    const auto addVariable = [&](VarId id, bool reduced, bool anywhere) {
      if (!isDigit(id))
        return;
      const Membership in = membershipOf(id);
      size_t at = form.digits.size();
      for (size_t d = anywhere || at == 0 ? 0 : at - 1; d < form.digits.size(); ++d)
        if (form.digits[d].reduced == reduced && members[d] == in)
          at = std::min(at, d);
      if (at == form.digits.size()) {
        form.digits.push_back({1, reduced, {}});
        members.push_back(in);
      }
      form.digits[at].extent *= program_.variables[id.index()].extent;
      form.digits[at].variables.push_back(id);
    };
    for (const VarId id : kept)
      addVariable(id, false, fuseApart);
    for (const VarId id : operation_.reduced)
      addVariable(id, true, true);
    const auto accessOf = [&](size_t table) {
      DigitAccess access{
          tables_[table], {}, sliceElems(program_, program_.table(tables_[table]).scope)};
      for (const Membership &in : members)
        access.stridesElems.push_back(in[table] ? 1 : 0); // until it is laid out
      return access;
    };
    for (size_t i = 0; i + 1 < tables_.size(); ++i)
      form.operands.push_back(accessOf(i));
    form.result = accessOf(tables_.size() - 1);
    return form;
  }

  /// Returns the kept variables: those of the largest operand in its order, below all others.
  std::vector<VarId> likeLargest(const std::vector<VarId> &kept) const {
    const TableId largest = *std::max_element(
        operation_.operands.begin(), operation_.operands.end(), [this](TableId a, TableId b) {
          return sliceElems(program_, program_.table(a).scope) <
                 sliceElems(program_, program_.table(b).scope);
        });
    const std::vector<VarId> stored = storageOrder(program_, largest);
    std::vector<VarId> order;
    for (const VarId id : kept)
      if (std::find(stored.begin(), stored.end(), id) == stored.end())
        order.push_back(id);
    for (const VarId id : stored)
      if (std::find(kept.begin(), kept.end(), id) != kept.end())
        order.push_back(id);
    return order;
  }

  void addFollowing(const std::vector<VarId> &kept) {
    const DigitForm form = formOf(kept, false);
    std::vector<DigitId> fastestFirst;
    for (size_t d = form.keptCount(); d-- > 0;)
      fastestFirst.emplace_back(d);
    add(form, fastestFirst);
  }

  void add(const DigitForm &form, const std::vector<DigitId> &kept) {
    for (const uint64_t row : {uint64_t{1}, kWarpRowElems}) {
      const DigitForm laidOut = layOut(form, kept, row);
      LayoutCandidate candidate;
      for (const DigitAccess &operand : laidOut.operands)
        candidate.emplace_back(operand.table, orderOf(laidOut, operand));
      candidate.emplace_back(laidOut.result.table, orderOf(laidOut, laidOut.result));
      if (std::find(candidates_.begin(), candidates_.end(), candidate) == candidates_.end())
        candidates_.push_back(std::move(candidate));
    }
  }

  /// Returns the storage order of a table in a form. Variables that are no digit come first: sliced
  /// variables, and those of one state.
  std::vector<VarId> orderOf(const DigitForm &form, const DigitAccess &access) const {
    std::vector<VarId> order;
    for (const VarId id : program_.table(access.table).scope)
      if (program_.variables[id.index()].sliced)
        order.push_back(id);
    for (const VarId id : program_.table(access.table).scope)
      if (!isDigit(id) && !program_.variables[id.index()].sliced)
        order.push_back(id);
    std::vector<size_t> digits;
    for (size_t d = 0; d < form.digits.size(); ++d)
      if (access.stridesElems[d] != 0)
        digits.push_back(d);
    std::sort(digits.begin(), digits.end(), [&access](size_t a, size_t b) {
      return access.stridesElems[a] > access.stridesElems[b];
    });
    for (const size_t d : digits)
      order.insert(order.end(), form.digits[d].variables.begin(), form.digits[d].variables.end());
    return order;
  }

  const TableProgram &program_;
  const Operation &operation_;
  std::vector<TableId> tables_; ///< the operands, then the result
  std::vector<LayoutCandidate> candidates_;
};

} // namespace

std::vector<LayoutCandidate> layoutCandidates(const TableProgram &program, OpId operation) {
  return Candidates(program, operation).all();
}

} // namespace mpf

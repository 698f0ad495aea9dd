#include "dsl/formats/cases/tables/input_cases.h"

#include "dsl/formats/cases/columns/entry_name.h"
#include "dsl/formats/cases/tables/checked_cases.h"
#include "dsl/formats/cases/tables/divide_rows.h"
#include "dsl/model/conditional_rows.h"
#include "dsl/support/numbers/row_sums.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>
#include <vector>

namespace mpf {

namespace {

constexpr size_t kMostNameBytes = 80;

class InputChecks {
public:
  InputChecks(const CaseSchema &schema, const Model &model, const EntryNeeds &needs,
              const RowTreatment &rows)
      : rowSums_(rows.tally), divides_(rows.divides) {
    names_.variables = model.variables;
    for (size_t v = 0; v < schema.likelihoods.size(); ++v)
      addLikelihood(schema, v, needs);
    for (size_t t = 0; t < schema.tables.size(); ++t) {
      const VaryingTable &table = schema.tables[t];
      const Factor &factor = model.factor(table.factors.front());
      Input &input = inputs_.emplace_back();
      input.factor.name = factor.name;
      input.factor.scope = factor.scope;
      input.firstWeight = schema.firstWeight(schema.likelihoods.size() + t);
      input.rule = {table.sizeElems, rowElemsOf(model, factor), table.nonNegative, table.wholeBits};
    }
  }

  /// Whether the checks of the reader suffice: it has checked that numbers are finite.
  bool areNeedless() const {
    return std::ranges::none_of(inputs_, [](const Input &input) { return input.rule.nonNegative; });
  }

  /// Returns the faults of a block, after its rows were divided. Thread-safe.
  std::vector<CaseFault> run(CaseBlock &block) const {
    std::vector<CaseFault> faults;
    for (const Input &input : inputs_)
      if (divides_ && input.rule.rowElems != 0)
        divideRows(block, rowsOf(input), [&](uint64_t row, const ScaledNumber &sum) {
          if (rowSums_ && !(std::abs(sum.nearest() - 1) <= kRowSumTolerance))
            rowSums_->addDivided(sum, [&] { return rowText(input, row); });
        });
    TableCheck check;
    for (const Input &input : inputs_)
      checkInput(input, block, check, faults);
    keepOneFaultOfEach(faults);
    return faults;
  }

private:
  struct Input {
    Factor factor; ///< name and scope; a likelihood has those of its variable
    size_t firstWeight = 0;
    TableRule rule;
  };

  static CaseRows rowsOf(const Input &input) {
    return {input.firstWeight, input.rule.sizeElems, input.rule.rowElems};
  }
  std::string rowText(const Input &input, uint64_t row) const {
    return excerpt(rowName(names_, input.factor, row), kMostNameBytes);
  }

  /// Adds a likelihood, if its weights must be whole numbers. The reader has checked that they are
  /// finite and at least 0.
  void addLikelihood(const CaseSchema &schema, size_t number, const EntryNeeds &needs) {
    const VarId variable = schema.likelihoods[number].variable;
    const int32_t wholeBits = needs.wholeBits(variable);
    if (wholeBits == 0)
      return;
    Input &input = inputs_.emplace_back();
    input.factor.name = names_.variable(variable).name;
    input.factor.scope = {variable};
    input.firstWeight = schema.firstWeight(number);
    input.rule = {schema.likelihoods[number].extent, 0, true, wholeBits};
  }

  void checkInput(const Input &input, const CaseBlock &block, TableCheck &check,
                  std::vector<CaseFault> &faults) const {
    const auto fieldOf = [&](uint64_t entry) {
      return CaseField{CaseField::Of::Weight, static_cast<size_t>(input.firstWeight + entry)};
    };
    TableCheck::OnRow onRounded;
    if (rowSums_)
      onRounded = [&](uint32_t, uint64_t row, double sum) {
        rowSums_->addTaken(sum, [&] { return rowText(input, row); });
      };
    check.run(
        input.rule, block.weights().data() + input.firstWeight * block.pitch(), block.count,
        block.pitch(),
        [&](uint32_t place, uint64_t entry) {
          faults.push_back(
              {place, fieldOf(entry),
               fmt::format("entry {} is {}, it must be {}",
                           excerpt(entryName(names_, input.factor, entry), kMostNameBytes),
                           weightText(block, input.firstWeight + entry, place),
                           entryRuleText(input.rule.nonNegative, input.rule.wholeBits))});
        },
        [&](uint32_t place, uint64_t row, double) {
          faults.push_back(
              {place, fieldOf(row * input.rule.rowElems),
               fmt::format("row {} sums to {}, it must be 1", rowText(input, row),
                           RowFault::rowSumText(rowSum(block, rowsOf(input), row, place)))});
        },
        [](uint32_t) {}, // readers refuse likelihoods that are all zero
        onRounded);
  }

  Model names_; ///< only the variables, for messages
  std::shared_ptr<RowSumTally> rowSums_;
  bool divides_;
  std::vector<Input> inputs_;
};

} // namespace

std::shared_ptr<CaseSource> withInputChecks(std::shared_ptr<CaseSource> given, const Model &model,
                                            const EntryNeeds &needs, const RowTreatment &rows) {
  CaseSchema schema = given->schema();
  for (VaryingTable &table : schema.tables) {
    const FactorId factor = table.factors.front();
    table.wholeBits = needs.wholeBits(factor);
    table.nonNegative =
        needs.nonNegative || table.wholeBits != 0 || model.factor(factor).conditional;
  }
  InputChecks checks(schema, model, needs, rows);
  if (checks.areNeedless())
    return given;
  return checkedCases(std::move(given), std::move(schema),
                      [checks = std::move(checks)](CaseBlock &block) { return checks.run(block); });
}

} // namespace mpf

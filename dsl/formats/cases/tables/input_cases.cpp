#include "dsl/formats/cases/tables/input_cases.h"

#include "dsl/formats/cases/columns/entry_name.h"
#include "dsl/formats/cases/tables/checked_cases.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>
#include <vector>

namespace mpf {

namespace {

constexpr size_t kMostNameBytes = 80;

class InputChecks {
public:
  InputChecks(const CaseSchema &schema, const Model &model) {
    names_.variables = model.variables;
    for (size_t t = 0; t < schema.tables.size(); ++t) {
      const VaryingTable &table = schema.tables[t];
      const Factor &factor = model.factor(table.factors.front());
      Input &input = inputs_.emplace_back();
      input.factor.name = factor.name;
      input.factor.scope = factor.scope;
      input.firstWeight = schema.firstWeight(schema.likelihoods.size() + t);
      input.rule = {table.sizeElems,
                    factor.conditional ? model.variable(factor.scope.back()).extent : 0,
                    table.nonNegative};
    }
  }

  /// Thread-safe.
  std::vector<CaseFault> run(const CaseBlock &block) const {
    std::vector<CaseFault> faults;
    TableCheck check;
    for (const Input &input : inputs_)
      checkInput(input, block, check, faults);
    std::erase_if(faults, [&](const CaseFault &fault) { // their weights mean nothing
      return std::ranges::binary_search(block.skipped, fault.place);
    });
    keepOneFaultOfEach(faults);
    return faults;
  }

private:
  struct Input {
    Factor factor; ///< name and scope
    size_t firstWeight = 0;
    TableRule rule;
  };

  void checkInput(const Input &input, const CaseBlock &block, TableCheck &check,
                  std::vector<CaseFault> &faults) const {
    const auto fieldOf = [&](uint64_t entry) {
      return CaseField{CaseField::Of::Weight, static_cast<size_t>(input.firstWeight + entry)};
    };
    check.run(
        input.rule, block.weights().data() + input.firstWeight * block.pitch(), block.count,
        block.pitch(),
        [&](uint32_t place, uint64_t entry, double value) {
          faults.push_back(
              {place, fieldOf(entry),
               fmt::format("entry {} is {}, it must be a finite number{}",
                           excerpt(entryName(names_, input.factor, entry), kMostNameBytes), value,
                           input.rule.nonNegative ? " of at least 0" : "")});
        },
        [&](uint32_t place, uint64_t row, double sum) {
          faults.push_back(
              {place, fieldOf(row * input.rule.rowElems),
               fmt::format("row {} sums to {}, it must be 1",
                           excerpt(rowName(names_, input.factor, row), kMostNameBytes), sum)});
        });
  }

  Model names_; ///< variables alone
  std::vector<Input> inputs_;
};

} // namespace

std::shared_ptr<CaseSource> withInputChecks(std::shared_ptr<CaseSource> given, const Model &model,
                                            bool nonNegative) {
  CaseSchema schema = given->schema();
  for (VaryingTable &table : schema.tables)
    table.nonNegative = nonNegative || model.factor(table.factors.front()).conditional;
  if (std::ranges::none_of(schema.tables, &VaryingTable::nonNegative))
    return given;
  InputChecks checks(schema, model);
  return checkedCases(std::move(given), std::move(schema),
                      [checks = std::move(checks)](CaseBlock &block) { return checks.run(block); });
}

} // namespace mpf

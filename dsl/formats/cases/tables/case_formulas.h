// Computes tables from the params of cases: formulas (dsl/support/expression/table_formula.h) for
// blocks of cases.
#pragma once

#include "dsl/formats/cases/tables/row_sum_tally.h"
#include "dsl/formats/cases/tables/table_check.h"
#include "dsl/model/model.h"
#include "dsl/support/cases/case_block.h"
#include "dsl/support/cases/entry_needs.h"
#include "dsl/support/cases/formula_set.h"

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace mpf {

/// The most params of a table that a message names.
inline constexpr size_t kParamsShown = 12;

/// The formulas of a list. Reuses memory between blocks; one thread at a time.
class CaseFormulas {
public:
  /// `given`: the schema of the cases; its params vary in `model`. `needs`: the rules that the
  /// model's queries have for entries.
  CaseFormulas(const Model &model, const CaseSchema &given, const EntryNeeds &needs);
  /// `given`: the schema of the cases; its params are some of those of `set`. findFormulaFault
  /// found no fault in `set`.
  CaseFormulas(FormulaSet set, const CaseSchema &given);

  const FormulaSet &set() const { return set_; }
  const CaseSchema &given() const { return given_; }
  /// The schema of `given`, with one further table for each formula.
  const CaseSchema &schema() const { return schema_; }

  /// Makes fill() accept rows whose sum is within 0.01 of 1, and count them in `rowSums`.
  void countRowSums(std::shared_ptr<RowSumTally> rowSums) { rowSums_ = std::move(rowSums); }

  /// Sets the tables of a block of schema() from its params. A param that is NaN has its value in
  /// the model, which may be derived from other params of the case.
  ///
  /// Returns the faulty cases in the order of the block, each once. Faults: an entry that is not
  /// finite, or breaks a rule (not negative, whole); a row that does not sum to 1; soft evidence
  /// that excludes all states. Messages name the params: "theta = 2: row 0 of P(y | x) sums to 3,
  /// it must be 1".
  std::vector<CaseFault> fill(CaseBlock &block);

private:
  /// The case `first + offset` of the current block. The columns of params begin with case `first`.
  struct Place {
    uint32_t first = 0, offset = 0;
  };
  /// Fills the tables of the cases [first, first + count) of the block.
  void fillCases(CaseBlock &block, uint32_t first, uint32_t count);
  void readParams(const CaseBlock &block, uint32_t first, uint32_t count);
  void check(const CaseFormula &table, const double *entries, const CaseBlock &block,
             uint32_t first, uint32_t count);
  void requireSwept(const CaseBlock &block);
  void checkDerived(const CaseBlock &block, uint32_t param, uint32_t first, const FarValues &far);
  void keepFar(const CaseFormula &table, const std::vector<FarEntry> &far, uint32_t first,
               double *entries, CaseBlock &block);
  bool isGiven(const CaseBlock &block, uint32_t param, uint32_t place) const;
  /// Adds a fault of a value that depends on the params `slots`. The message names them and the
  /// params from which the case derives them. The place is the first of them that the case sets.
  void addFault(const CaseBlock &block, std::set<uint32_t> slots, Place at,
                const std::string &what);

  FormulaSet set_; ///< its tables are CaseSchema::tables from firstTable_ on
  CaseSchema given_, schema_;
  size_t firstTable_ = 0;
  std::vector<size_t> columnOf_; ///< column of each param in the cases; SIZE_MAX: none
  std::vector<char> isUsed_;     ///< for each param: whether a table depends on it
  uint32_t casesAtOnce_ = 0;
  std::vector<std::vector<double>> columns_; ///< values of each used param in the current cases
  std::vector<const double *> addresses_;    ///< column of each param
  std::vector<CaseFault> faults_;            ///< faults of the current block
  TableCheck check_;
  std::shared_ptr<RowSumTally> rowSums_; ///< null: each row must sum to 1
  ExpressionEvaluator derivations_;
  FormulaEvaluator evaluator_;
};

} // namespace mpf

// The tables that cases get from params: formulas (dsl/support/expression/table_formula.h) for
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

/// So many params that a table depends on are named, where there are more.
inline constexpr size_t kParamsShown = 12;

/// Keeps memory between blocks; one thread at a time.
class CaseFormulas {
public:
  /// For cases of `given`, whose params vary in `model`; `needs`: of its queries.
  CaseFormulas(const Model &model, const CaseSchema &given, const EntryNeeds &needs);
  /// For cases of `given`, which set some of the params of `set`; its formulas are sound
  /// (findFormulaFault).
  CaseFormulas(FormulaSet set, const CaseSchema &given);

  const FormulaSet &set() const { return set_; }
  const CaseSchema &given() const { return given_; }
  /// The given columns, and behind them one table for each formula.
  const CaseSchema &schema() const { return schema_; }

  /// From then on rows within 0.01 of 1 are taken, and counted in `rowSums`.
  void countRowSums(std::shared_ptr<RowSumTally> rowSums) { rowSums_ = std::move(rowSums); }

  /// Sets the tables of a block of schema() from its params; NaN: what the model says, a number or
  /// what follows from other params of the case. Returns the
  /// cases of which an entry is not a finite number, is below 0 or no whole number where it must
  /// not be, a row does not sum to 1, or soft evidence rules out all states, with a param that the
  /// table depends on ("theta = 2: row 0 of P(y | x) sums to 3, it must be 1"); in the order of the
  /// block, each once.
  std::vector<CaseFault> fill(CaseBlock &block);

private:
  /// The case `first + offset` of the block at hand, whose columns begin with case `first`.
  struct Place {
    uint32_t first = 0, offset = 0;
  };
  /// For the cases [first, first + count) of the block.
  void fillCases(CaseBlock &block, uint32_t first, uint32_t count);
  void readParams(const CaseBlock &block, uint32_t first, uint32_t count);
  void check(const CaseFormula &table, const double *entries, const CaseBlock &block,
             uint32_t first, uint32_t count);
  void requireSwept(const CaseBlock &block);
  void checkDerived(const CaseBlock &block, uint32_t param, uint32_t first, const FarValues &far);
  void keepFar(const CaseFormula &table, const std::vector<FarEntry> &far, uint32_t first,
               double *entries, CaseBlock &block);
  bool isGiven(const CaseBlock &block, uint32_t param, uint32_t place) const;
  /// About what depends on these params, and on those that they follow from in this case: at the
  /// first of them that the case gives.
  void addFault(const CaseBlock &block, std::set<uint32_t> slots, Place at,
                const std::string &what);

  FormulaSet set_; ///< tables by CaseSchema::tables, from firstTable_ on
  CaseSchema given_, schema_;
  size_t firstTable_ = 0;
  std::vector<size_t> columnOf_; ///< by param: of the cases; SIZE_MAX: none
  std::vector<char> isUsed_;     ///< by param: some table follows from it
  uint32_t casesAtOnce_ = 0;
  std::vector<std::vector<double>> columns_; ///< by used param, of the cases at hand
  std::vector<const double *> addresses_;    ///< by param
  std::vector<CaseFault> faults_;            ///< of the block at hand
  TableCheck check_;
  std::shared_ptr<RowSumTally> rowSums_; ///< null: each row must sum to 1
  ExpressionEvaluator derivations_;
  FormulaEvaluator evaluator_;
};

} // namespace mpf

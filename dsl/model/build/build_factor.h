// `factor`, `prob` and soft evidence: each declaration adds one Factor to the Model. Under `for`,
// each round of the loop adds one.
#pragma once

#include "dsl/model/diagonal.h"
#include "dsl/model/noisy_max.h"
#include "dsl/model/resolve/build_context.h"
#include "dsl/model/tables/build_table.h"

namespace mpf {

/// A builder of factors, which reports errors to the context. A `factor` or `prob` with an error
/// adds nothing; its name is marked as broken, so that queries over it report nothing more. An
/// exception is a `prob` with wrong rows, which is added.
class FactorBuilder {
public:
  explicit FactorBuilder(BuildContext &context) : context_(context), tables_(context) {}

  /// `factor f(x, y) = ...`; under `for` a member "f[0][1]" of family "f". A variable may occur
  /// several times: the factor has the diagonal of the table (diagonal.h).
  void addFactor(const ast::FactorDecl &decl);
  /// `prob P(x | y) = ...`: a conditional factor over (y..., x), whose rows over x sum to 1,
  /// or are treated by the rule of row_sums.h. Its name is "P(x)". If x is an element of an array,
  /// the name is "P(x[3])" and the family "P(x)".
  void addProb(const ast::ProbDecl &decl);
  /// `prob P(x | y, z) = noisyor(...)`, `noisymax(...)`, `noisymin(...)`: the chain of factors of
  /// noisy_max.h, the last of which has the names that addProb gives. Rows are checked as those of
  /// addProb.
  void addNoisy(const ast::ProbDecl &decl, const ast::NoisyValue &value);
  /// `observe x ~ ...`: a factor "soft(x)" over x. Reports entries that are negative or infinite,
  /// and entries that are all 0.
  void addSoftEvidence(const ast::ObserveItem &item, VarId variable);

private:
  bool roomForFactor(SourceRange range, size_t scopeSize);
  /// Returns false after reporting an `input` that names a variable twice: a host program might
  /// mean the table as written or its diagonal.
  bool mayRepeat(const ast::FactorDecl &decl, const WrittenScope &scope, const std::string &name);
  /// Returns false after reporting a conditional table that names a variable twice. The child is
  /// last.
  bool namesEachOnce(std::span<const ast::VarRef> refs, const WrittenScope &scope,
                     SourceRange head);
  /// Sets the values of the factor; an `input` without a default gets none. Returns nothing after
  /// reporting.
  std::optional<BuiltTable> addTable(const ast::Value &value, const TableOwner &owner,
                                     Factor &factor);
  /// Sets the values, or the defaults of an `input`, in the form that StoredValues reads. Returns
  /// false after reporting defaults that no double holds.
  bool setTable(const ast::Value &value, const TableOwner &owner, TableValues stored,
                Factor &factor);
  /// Returns false after reporting soft evidence that is one number, whatever the state.
  bool hasEntryPerState(const ast::ObserveItem &item, VarId variable);
  bool makeTarget(const ast::ObserveItem &item, Factor &factor);
  bool roomForChain(SourceRange range, size_t causes);
  std::optional<NoisyMax> noisyMax(const ast::ProbDecl &decl, const ast::NoisyValue &value);
  std::optional<std::vector<double>> noisyNumbers(const ast::NoisyValue &value, size_t count);
  bool addNumbers(const ast::NoisyValue &value, NoisyMax &noisy);
  std::optional<std::vector<ast::Value>> causeTables(const ast::NoisyValue &value);
  bool addCauseTables(const ast::NoisyValue &value, NoisyMax &noisy);
  /// Returns false after reporting a table that is wide (StoredValues).
  bool requireDoubles(const ast::Value &value, const TableOwner &owner,
                      std::span<const double> stored);
  /// Builds a table that must not depend on params that cases set; null after reporting.
  TableValues constantTable(const ast::Value &value, const TableOwner &owner);
  void noteOneNumber(const ast::Value &value, VarId child);
  /// Checks the rows of `table`, or replaces it by a table with divided rows. `hasFormula`: the
  /// table depends on params that cases set, so that its rows cannot be divided once.
  void checkRows(const ast::Value &value, const TableOwner &owner, TableValues &table,
                 bool hasFormula);

  BuildContext &context_;
  TableBuilder tables_;
};

} // namespace mpf

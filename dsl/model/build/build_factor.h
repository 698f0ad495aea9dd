// `factor`, `prob` and soft evidence: one declaration (or one instance of it under `for`) to one
// Factor of the Model.
#pragma once

#include "dsl/model/build/build_table.h"
#include "dsl/model/resolve/build_context.h"

namespace mpf {

/// Reports to the context; a declaration with an error leaves its name marked as broken.
class FactorBuilder {
public:
  explicit FactorBuilder(BuildContext &context) : context_(context), tables_(context) {}

  /// `factor f(x, y) = ...`; under `for` a member "f[0][1]" of family "f".
  void addFactor(const ast::FactorDecl &decl);
  /// `prob P(x | y) = ...`: scope (y..., x), rows checked. Named "P(x)"; with x an element of an
  /// array, "P(x[3])" of family "P(x)".
  void addProb(const ast::ProbDecl &decl);
  /// `observe x ~ ...`: a factor "soft(x)" over x, entries not negative and not all 0.
  void addSoftEvidence(const ast::ObserveItem &item, VarId variable);

private:
  bool roomForFactor(SourceRange range, size_t scopeSize);
  void checkRows(const ast::Value &value, const TableOwner &owner, const BuiltTable &table);

  BuildContext &context_;
  TableBuilder tables_;
};

} // namespace mpf

// `query`: resolves the names of factors and variables, checks the algebra, makes a Query.
#pragma once

#include "dsl/model/build/build_evidence.h"
#include "dsl/model/build/check_algebra.h"
#include "dsl/model/resolve/build_context.h"

#include <optional>
#include <span>
#include <vector>

namespace mpf {

/// A builder of queries. All factors and evidence of the context must be complete. Adds each query
/// to Model::queries, or reports its errors.
class QueryBuilder {
public:
  explicit QueryBuilder(BuildContext &context);

  void add(const ast::QueryDecl &decl);

private:
  enum class Role : uint8_t { Free, Output, Reduced };

  void addShortForm(const ast::QueryDecl &decl);
  void addExpression(const ast::QueryDecl &decl);
  /// Returns the kind of an expression, by its reductions; nothing after reporting.
  std::optional<QueryKind> kindOf(const ast::QueryDecl &decl);
  void finish(const ast::QueryDecl &decl, Query query);

  std::optional<std::vector<FactorId>> resolveProduct(const ast::QueryDecl &decl);
  std::optional<std::span<const FactorId>> resolveFactor(const ast::FactorRef &ref);
  std::optional<std::span<const FactorId>> resolveProb(const ast::FactorRef &ref);
  std::optional<std::span<const FactorId>> oneMember(const ast::FactorRef &ref,
                                                     const std::string &key);
  /// Adds the soft evidence on the product's variables to the query's factors. Returns false after
  /// reporting that the query adds its factors, so that it has no place for soft evidence.
  bool addRows(const ast::QueryDecl &decl, Conditions &conditions, Query &query);
  bool askFor(const ast::QueryDecl &decl, Query &query);
  bool addSoftEvidence(const ast::QueryDecl &decl, Query &query);
  bool resolveReductions(const ast::QueryDecl &decl, Query &query);
  void reduceAuxiliaries(Query &query);
  bool checkFree(const ast::QueryDecl &decl, const Query &query);
  bool collectScope(const ast::QueryDecl &decl, const Query &query);
  bool countReferences(SourceRange range, uint64_t count);

  BuildContext &context_;
  AlgebraChecker algebra_;
  std::vector<std::pair<VarId, FactorId>> softEvidence_; ///< ascending
  std::vector<bool> observed_;    ///< whether hard evidence observes each variable
  std::vector<uint32_t> inScope_; ///< number of the last query with each variable in its scope
  std::vector<VarId> scope_;      ///< the variables of the current query's factors, ascending
  uint32_t queryNumber_ = 0;
  FactorId single_; ///< spans of one factor point here until the next look-up
  std::unordered_map<std::string, SourcePlace> names_; ///< places of the queries so far, by name
};

} // namespace mpf

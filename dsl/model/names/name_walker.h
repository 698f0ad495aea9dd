// Walks over the files of a model and fills a NameIndex: declarations first, then all uses.
#pragma once

#include "dsl/model/names/known_names.h"
#include "dsl/syntax/ast.h"

#include <vector>

namespace mpf {

class NameWalker {
public:
  enum class Pass { Domains, Names, Uses };

  explicit NameWalker(NameIndex &index) : index_(index), names_(index) {}

  /// Declares the variables of an imported network, at the path of its file.
  void declareImport(const SourcePlace &place, const Model &model) {
    names_.declareImport(place, model);
  }
  void walk(const ast::File &file, NameIndex::Text &text, Pass pass);

private:
  void declareDomain(const ast::DomainDecl &decl, SourceRange statement);
  void declareIn(const ast::Decl &decl);

  void uses(const ast::Decl &decl);
  void usesOf(const ast::DomainDecl &decl);
  void usesOf(const ast::VarDecl &decl);
  void usesOf(const ast::ParamDecl &decl);
  void usesOf(const ast::DefDecl &decl);
  void usesOf(const ast::FactorDecl &decl);
  void usesOf(const ast::ProbDecl &decl);
  void usesOf(const ast::ForDecl &decl);
  void usesOf(const ast::ObserveDecl &decl);
  void usesOf(const ast::OrderDecl &decl);
  void usesOf(const ast::QueryDecl &decl);
  void usesOf(const ast::ObserveCasesDecl &decl) { names_.link(decl.path, false); }
  void usesOf(const ast::IncludeDecl &decl) { names_.link(decl.path, true); }
  void usesOf(const ast::ModelDecl &) {}

  void spec(const ast::DomainSpec &spec);
  void variable(const ast::VarRef &ref);
  void variables(const std::vector<ast::VarRef> &refs);
  void observation(const ast::ObserveItem &item);
  void expression(const ast::Expr &expr, PlaceLabels labels = {});
  void reference(const ast::Expr &expr, PlaceLabels labels);
  void call(const ast::Expr &expr);
  void range(const ast::Expr &range, SourceRange scope);
  void value(const ast::Value &value, const StateAxes &axes);
  void map(const ast::MapLiteral &map, const StateAxes &axes);
  void where(const std::vector<ast::Binding> &bindings);

  NameIndex &index_;
  KnownNames names_;
};

} // namespace mpf

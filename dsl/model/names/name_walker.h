// Walks over the files of a model and fills a NameIndex: declarations first, then all uses.
#pragma once

#include "dsl/model/model.h"
#include "dsl/model/names/name_index.h"
#include "dsl/syntax/ast.h"

#include <memory>
#include <utility>

namespace mpf {

class NameWalker {
public:
  enum class Pass { Domains, Names, Uses };

  explicit NameWalker(NameIndex &index) : index_(index) {}

  /// Declares the variables of an imported network, at the path of its file.
  void declareImport(const SourcePlace &place, const Model &model);
  void walk(const ast::File &file, NameIndex::Text &text, Pass pass);

private:
  /// The labels of a state place, by index into NameIndex::labels. Not set: no state place.
  using Labels = std::optional<uint32_t>;

  /// The labels of the axes of a table.
  struct Axes {
    std::vector<Labels> first;
    Labels others{}; ///< of all axes behind `first`
    Labels at(size_t axis) const { return axis < first.size() ? first[axis] : others; }
    Axes behind(size_t axes) const;
  };

  void declareDomain(const ast::DomainDecl &decl, SourceRange statement);
  void declareIn(const ast::Decl &decl);
  Labels labelsOf(const ast::DomainSpec &spec, SourceRange statement);
  uint32_t declare(NameKind kind, const ast::Name &name, SourceRange whole, SourceRange statement,
                   Labels labels = {});
  uint32_t declareLocal(NameKind kind, const ast::Name &name, SourceRange whole, SourceRange scope,
                        Labels labels = {});

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
  void usesOf(const ast::ObserveCasesDecl &decl) { link(decl.path, false); }
  void usesOf(const ast::IncludeDecl &decl) { link(decl.path, true); }
  void usesOf(const ast::ModelDecl &) {}

  void spec(const ast::DomainSpec &spec);
  void variable(const ast::VarRef &ref);
  void variables(const std::vector<ast::VarRef> &refs);
  void observation(const ast::ObserveItem &item);
  void expression(const ast::Expr &expr, Labels labels = {});
  void reference(const ast::Expr &expr, Labels labels);
  void call(const ast::Expr &expr);
  void range(const ast::Expr &range, SourceRange scope);
  void value(const ast::Value &value, const Axes &axes);
  void map(const ast::MapLiteral &map, const Axes &axes);
  void where(const std::vector<ast::Binding> &bindings);
  void label(const ast::Name &name, Labels labels);
  void link(const ast::Name &path, bool isModel);

  const uint32_t *find(const std::string &name) const;
  /// The labels of what is in a state: a variable, or an argument with a domain.
  Labels statedLabels(const ast::Expr &expr) const;
  bool isArray(const ast::Expr &expr) const;
  Labels labelsOfVariable(const ast::VarRef &ref) const;
  Axes axesOf(const std::vector<ast::VarRef> &scope) const;
  void use(SourceRange range, uint32_t entry);

  NameIndex &index_;
  NameIndex::Text *text_ = nullptr;
  SourceRange statement_{};
  std::vector<std::pair<std::string, uint32_t>> locals_; ///< the last is the innermost
  /// Labels of the axes of a param, and of the arguments of a function, by entry.
  std::unordered_map<uint32_t, std::vector<Labels>> places_;
  std::unordered_map<const ast::DomainSpec *, uint32_t> lists_; ///< labels of written domains
};

} // namespace mpf

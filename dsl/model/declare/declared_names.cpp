#include "dsl/model/declare/declared_names.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace mpf {

namespace {

class NeededNames {
public:
  explicit NeededNames(const NameVisitor &visit) : visit_(visit) {}

  void walk(const ast::DomainDecl &decl) { walk(decl.spec); }
  void walk(const ast::VarDecl &decl) {
    for (const ast::VarGroup &group : decl.groups) {
      walk(group.domain);
      for (const ast::VarItem &item : group.items)
        walk(item.dims);
    }
  }
  void walk(const ast::ParamDecl &decl) {
    for (const ast::ParamItem &item : decl.items) {
      for (const ast::ParamAxis &axis : item.axes)
        walk(axis.length);
      walk(item.args);
      for (const ast::Value &value : item.given)
        walk(value);
    }
  }
  void walk(const ast::DefDecl &decl) {
    for (const ast::Argument &argument : decl.arguments) {
      for (const ast::DomainSpec &domain : argument.domain)
        walk(domain);
      locals_.push_back(argument.name.text);
    }
    walk(decl.body);
  }
  template <class Other> void walk(const Other & /*declaresNothing*/) {}

private:
  void walk(const ast::DomainSpec &spec) {
    if (!spec.labelled() && !spec.file)
      walk(spec.size);
  }
  void walk(const std::vector<ast::Expr> &expressions) {
    for (const ast::Expr &expr : expressions)
      walk(expr);
  }
  void walk(const ast::Expr &expr) {
    const size_t locals = locals_.size();
    const bool isName = expr.kind == ast::ExprKind::Ref ||
                        (expr.kind == ast::ExprKind::Call && expr.function == ast::Function::None);
    if (isName && std::ranges::find(locals_, expr.name) == locals_.end())
      visit_(expr.name);
    for (const ast::Expr &child : expr.children) {
      if (child.kind != ast::ExprKind::Range) {
        walk(child);
        continue;
      }
      walk(child.children[1]); // the list of the index, which does not see it
      locals_.push_back(child.children[0].name);
      for (size_t i = 2; i < child.children.size(); ++i)
        walk(child.children[i]);
    }
    locals_.resize(locals);
  }
  void walk(const ast::Value &value) {
    if (const auto *expr = std::get_if<ast::Expr>(&value.node))
      walk(*expr);
    else if (const auto *array = std::get_if<ast::ArrayLiteral>(&value.node))
      for (const ast::ComputedElement &element : array->computed)
        walk(element.expr);
    else if (const auto *map = std::get_if<ast::MapLiteral>(&value.node))
      for (const ast::MapEntry &entry : map->entries)
        walk(entry.value);
    else if (const auto *normalised = std::get_if<ast::NormalisedValue>(&value.node))
      walk(normalised->of);
    else if (const auto *exp = std::get_if<ast::ExpValue>(&value.node))
      walk(exp->logarithms);
  }
  void walk(const std::vector<ast::Value> &values) {
    for (const ast::Value &value : values)
      walk(value);
  }

  const NameVisitor &visit_;
  std::vector<std::string_view> locals_; ///< arguments, and indices of the folds around
};

} // namespace

void forEachDeclared(const ast::Decl &decl, const NameVisitor &visit) {
  if (const auto *domain = std::get_if<ast::DomainDecl>(&decl.node))
    visit(domain->name.text);
  else if (const auto *function = std::get_if<ast::DefDecl>(&decl.node))
    visit(function->name.text);
  else if (const auto *params = std::get_if<ast::ParamDecl>(&decl.node))
    for (const ast::ParamItem &item : params->items)
      visit(item.name.text);
  else if (const auto *variables = std::get_if<ast::VarDecl>(&decl.node))
    for (const ast::VarGroup &group : variables->groups)
      for (const ast::VarItem &item : group.items)
        visit(item.name.text);
}

void forEachNeeded(const ast::Decl &decl, const NameVisitor &visit) {
  std::visit([&visit](const auto &node) { NeededNames(visit).walk(node); }, decl.node);
}

} // namespace mpf

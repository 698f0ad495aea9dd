// Names in expressions and values, and labels in places of states.
#include "dsl/model/names/name_walker.h"

#include <algorithm>

namespace mpf {

namespace {

bool isComparison(ast::Operator op) {
  return op >= ast::Operator::Equal && op <= ast::Operator::GreaterEqual;
}

} // namespace

void NameWalker::variable(const ast::VarRef &ref) {
  if (const auto found = index_.globals.find(ref.name.text); found != index_.globals.end())
    names_.use(ref.name.range, found->second);
  for (const ast::IndexItem &item : ref.indices)
    for (const std::optional<ast::Expr> *end : {&item.first, &item.last})
      if (*end)
        expression(**end);
}

void NameWalker::variables(const std::vector<ast::VarRef> &refs) {
  for (const ast::VarRef &ref : refs)
    variable(ref);
}

void NameWalker::reference(const ast::Expr &expr, PlaceLabels labels) {
  const SourceRange range = nameAt(names_.text().source->text(), expr.range.begin);
  const uint32_t *entry = names_.find(expr.name);
  const bool isLabel = labels && expr.children.empty() &&
                       (entry == nullptr || !index_.entries[*entry].isLocal()) &&
                       index_.labels[*labels].contains(expr.name);
  if (isLabel || entry == nullptr)
    return names_.label({expr.name, range}, labels);
  names_.use(range, *entry);
  const std::vector<PlaceLabels> &places = names_.placesOf(*entry);
  for (size_t i = 0; i < expr.children.size(); ++i)
    expression(expr.children[i], i < places.size() ? places[i] : PlaceLabels());
}

void NameWalker::call(const ast::Expr &expr) {
  const auto found =
      expr.function == ast::Function::None ? index_.globals.find(expr.name) : index_.globals.end();
  const std::vector<PlaceLabels> *places = nullptr;
  if (found != index_.globals.end()) {
    names_.use(nameAt(names_.text().source->text(), expr.range.begin), found->second);
    places = &names_.placesOf(found->second);
  }
  for (size_t i = 0; i < expr.children.size(); ++i)
    expression(expr.children[i],
               places != nullptr && i < places->size() ? (*places)[i] : PlaceLabels());
}

void NameWalker::range(const ast::Expr &range, SourceRange scope) {
  const ast::Expr &index = range.children[0];
  expression(range.children[1]);
  names_.declareLocal(NameKind::Index,
                      {index.name, nameAt(names_.text().source->text(), index.range.begin)},
                      range.range, scope);
  for (size_t i = 2; i < range.children.size(); ++i)
    expression(range.children[i]);
}

void NameWalker::expression(const ast::Expr &expr, PlaceLabels labels) {
  const size_t locals = names_.locals();
  switch (expr.kind) {
  case ast::ExprKind::Number:
    break;
  case ast::ExprKind::String:
    names_.label({expr.name, expr.range}, labels);
    break;
  case ast::ExprKind::Ref:
    reference(expr, labels);
    break;
  case ast::ExprKind::Call:
    call(expr);
    break;
  case ast::ExprKind::Range:
    range(expr, expr.range);
    break;
  case ast::ExprKind::Fold:
    for (const ast::Expr &child : expr.children)
      child.kind == ast::ExprKind::Range ? range(child, expr.range) : expression(child);
    names_.endLocals(locals);
    break;
  case ast::ExprKind::Binary:
    expression(expr.children[0],
               isComparison(expr.op) ? names_.statedLabels(expr.children[1]) : PlaceLabels());
    expression(expr.children[1],
               isComparison(expr.op) ? names_.statedLabels(expr.children[0]) : PlaceLabels());
    break;
  case ast::ExprKind::Conditional:
    expression(expr.children[0]);
    expression(expr.children[1], labels);
    expression(expr.children[2], labels);
    break;
  case ast::ExprKind::Unary:
  case ast::ExprKind::Span:
  case ast::ExprKind::List:
    for (const ast::Expr &child : expr.children)
      expression(child);
    break;
  }
}

void NameWalker::map(const ast::MapLiteral &map, const StateAxes &axes) {
  size_t width = 1; // axes of a key, also of `default`
  for (const ast::MapEntry &entry : map.entries)
    width = std::max(width, entry.keys.size());
  for (const ast::MapEntry &entry : map.entries) {
    for (size_t i = 0; i < entry.keys.size(); ++i)
      if (!entry.keys[i].isNumber)
        names_.label(entry.keys[i].label, axes.at(i));
    const StateAxes inner = axes.behind(entry.isDefault ? width : entry.keys.size());
    for (const ast::Value &each : entry.value)
      value(each, inner);
  }
}

void NameWalker::value(const ast::Value &written, const StateAxes &axes) {
  const auto inside = [&](const std::vector<ast::Value> &values) {
    for (const ast::Value &each : values)
      value(each, axes);
  };
  if (const auto *expr = std::get_if<ast::Expr>(&written.node))
    expression(*expr);
  else if (const auto *array = std::get_if<ast::ArrayLiteral>(&written.node))
    for (const ast::ComputedElement &element : array->computed)
      expression(element.expr);
  else if (const auto *literal = std::get_if<ast::MapLiteral>(&written.node))
    map(*literal, axes);
  else if (const auto *file = std::get_if<ast::FileValue>(&written.node))
    names_.link(file->path, false);
  else if (const auto *normalised = std::get_if<ast::NormalisedValue>(&written.node))
    inside(normalised->of);
  else if (const auto *input = std::get_if<ast::InputValue>(&written.node))
    inside(input->defaults);
  else if (const auto *exp = std::get_if<ast::ExpValue>(&written.node))
    inside(exp->logarithms);
}

} // namespace mpf

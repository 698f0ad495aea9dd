// Names in expressions and values, and labels in places of states.
#include "dsl/model/names/name_walker.h"

#include <algorithm>

namespace mpf {

namespace {

bool isComparison(ast::Operator op) {
  return op >= ast::Operator::Equal && op <= ast::Operator::GreaterEqual;
}

} // namespace

const uint32_t *NameWalker::find(const std::string &name) const {
  for (auto local = locals_.rbegin(); local != locals_.rend(); ++local)
    if (local->first == name)
      return &local->second;
  const auto found = index_.globals.find(name);
  return found == index_.globals.end() ? nullptr : &found->second;
}

void NameWalker::use(SourceRange range, uint32_t entry) {
  text_->uses.push_back({range, entry, false});
}

void NameWalker::link(const ast::Name &path, bool isModel) {
  text_->links.push_back({path.range, path.text, isModel});
}

NameWalker::Labels NameWalker::statedLabels(const ast::Expr &expr) const {
  const uint32_t *entry = expr.kind == ast::ExprKind::Ref ? find(expr.name) : nullptr;
  return entry == nullptr ? Labels() : index_.entries[*entry].labels;
}

NameWalker::Labels NameWalker::labelsOfVariable(const ast::VarRef &ref) const {
  const auto found = index_.globals.find(ref.name.text);
  return found == index_.globals.end() ? Labels() : index_.entries[found->second].labels;
}

NameWalker::Axes NameWalker::axesOf(const std::vector<ast::VarRef> &scope) const {
  Axes axes;
  for (const ast::VarRef &ref : scope)
    axes.first.push_back(labelsOfVariable(ref));
  const auto isList = [](const ast::VarRef &ref) {
    return std::ranges::any_of(ref.indices, &ast::IndexItem::isRange);
  };
  const auto list = std::ranges::find_if(scope, isList);
  if (list == scope.end())
    return axes;
  // A list of unknown length: the axes behind it are known if all have the same labels.
  if (std::ranges::count(axes.first, axes.first.front()) == std::ssize(axes.first))
    axes.others = axes.first.front();
  axes.first.resize(static_cast<size_t>(list - scope.begin()) + 1);
  return axes;
}

void NameWalker::variable(const ast::VarRef &ref) {
  if (const auto found = index_.globals.find(ref.name.text); found != index_.globals.end())
    use(ref.name.range, found->second);
  for (const ast::IndexItem &item : ref.indices)
    for (const std::optional<ast::Expr> *end : {&item.first, &item.last})
      if (*end)
        expression(**end);
}

void NameWalker::variables(const std::vector<ast::VarRef> &refs) {
  for (const ast::VarRef &ref : refs)
    variable(ref);
}

void NameWalker::label(const ast::Name &name, Labels labels) {
  if (labels) {
    const auto &list = index_.labels[*labels];
    if (const auto found = list.find(name.text); found != list.end())
      return use(name.range, found->second);
  }
  text_->unknown.push_back(name);
}

void NameWalker::reference(const ast::Expr &expr, Labels labels) {
  const SourceRange range = nameAt(text_->source->text(), expr.range.begin);
  const uint32_t *entry = find(expr.name);
  const bool isLabel = labels && expr.children.empty() &&
                       (entry == nullptr || !index_.entries[*entry].isLocal()) &&
                       index_.labels[*labels].contains(expr.name);
  if (isLabel || entry == nullptr)
    return label({expr.name, range}, labels);
  use(range, *entry);
  const auto places = places_.find(*entry);
  for (size_t i = 0; i < expr.children.size(); ++i)
    expression(expr.children[i],
               places != places_.end() && i < places->second.size() ? places->second[i] : Labels());
}

void NameWalker::call(const ast::Expr &expr) {
  const auto found =
      expr.function == ast::Function::None ? index_.globals.find(expr.name) : index_.globals.end();
  const std::vector<Labels> *places = nullptr;
  if (found != index_.globals.end()) {
    use(nameAt(text_->source->text(), expr.range.begin), found->second);
    const auto known = places_.find(found->second);
    places = known == places_.end() ? nullptr : &known->second;
  }
  for (size_t i = 0; i < expr.children.size(); ++i)
    expression(expr.children[i], places != nullptr && i < places->size() ? (*places)[i] : Labels());
}

void NameWalker::range(const ast::Expr &range, SourceRange scope) {
  const ast::Expr &index = range.children[0];
  expression(range.children[1]);
  declareLocal(NameKind::Index, {index.name, nameAt(text_->source->text(), index.range.begin)},
               range.range, scope);
  for (size_t i = 2; i < range.children.size(); ++i)
    expression(range.children[i]);
}

void NameWalker::expression(const ast::Expr &expr, Labels labels) {
  const size_t locals = locals_.size();
  switch (expr.kind) {
  case ast::ExprKind::Number:
    break;
  case ast::ExprKind::String:
    label({expr.name, expr.range}, labels);
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
    locals_.resize(locals);
    break;
  case ast::ExprKind::Binary:
    expression(expr.children[0], isComparison(expr.op) ? statedLabels(expr.children[1]) : Labels());
    expression(expr.children[1], isComparison(expr.op) ? statedLabels(expr.children[0]) : Labels());
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

void NameWalker::map(const ast::MapLiteral &map, const Axes &axes) {
  size_t width = 1; // axes of a key, also of `default`
  for (const ast::MapEntry &entry : map.entries)
    width = std::max(width, entry.keys.size());
  for (const ast::MapEntry &entry : map.entries) {
    for (size_t i = 0; i < entry.keys.size(); ++i)
      if (!entry.keys[i].isNumber)
        label(entry.keys[i].label, axes.at(i));
    const Axes inner = axes.behind(entry.isDefault ? width : entry.keys.size());
    for (const ast::Value &each : entry.value)
      value(each, inner);
  }
}

void NameWalker::value(const ast::Value &written, const Axes &axes) {
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
    link(file->path, false);
  else if (const auto *normalised = std::get_if<ast::NormalisedValue>(&written.node))
    inside(normalised->of);
  else if (const auto *input = std::get_if<ast::InputValue>(&written.node))
    inside(input->defaults);
  else if (const auto *exp = std::get_if<ast::ExpValue>(&written.node))
    inside(exp->logarithms);
}

} // namespace mpf

// Declarations and their parts. Expressions and values are in walk_expression.cpp.
#include "dsl/model/names/name_walker.h"

#include <algorithm>

namespace mpf {

NameWalker::Axes NameWalker::Axes::behind(size_t axes) const {
  const auto begin = first.begin() + static_cast<ptrdiff_t>(std::min(axes, first.size()));
  return {{begin, first.end()}, others};
}

void NameWalker::declareImport(const SourcePlace &place, const Model &model) {
  for (const Variable &variable : model.variables) {
    if (variable.auxiliary)
      return;
    const auto entry = static_cast<uint32_t>(index_.entries.size());
    if (!index_.globals.try_emplace(variable.name, entry).second)
      continue;
    const auto list = static_cast<uint32_t>(index_.labels.size());
    index_.entries.push_back(
        {NameKind::Variable, variable.name, place, place.range, place.range, {}, list, true});
    index_.labels.emplace_back();
    for (const std::string &label : variable.labels) {
      index_.labels[list].emplace(label, static_cast<uint32_t>(index_.entries.size()));
      index_.entries.push_back(
          {NameKind::Label, label, place, place.range, place.range, {}, list, true});
    }
  }
}

void NameWalker::walk(const ast::File &file, NameIndex::Text &text, Pass pass) {
  text_ = &text;
  for (const ast::Decl &decl : file.decls) {
    statement_ = decl.range;
    if (pass == Pass::Uses)
      uses(decl);
    else if (const auto *domain = std::get_if<ast::DomainDecl>(&decl.node))
      pass == Pass::Domains ? declareDomain(*domain, decl.range) : void();
    else if (pass == Pass::Names)
      declareIn(decl);
  }
}

uint32_t NameWalker::declare(NameKind kind, const ast::Name &name, SourceRange whole,
                             SourceRange statement, Labels labels) {
  const auto next = static_cast<uint32_t>(index_.entries.size());
  uint32_t entry = next;
  if (kind == NameKind::Factor)
    entry = index_.factors.try_emplace(name.text, next).first->second;
  else if (kind != NameKind::Model && kind != NameKind::Query)
    entry = index_.globals.try_emplace(name.text, next).first->second;
  if (entry == next)
    index_.entries.push_back(
        {kind, name.text, {text_->source, name.range}, whole, statement, {}, labels});
  text_->uses.push_back({name.range, entry, true});
  return entry;
}

uint32_t NameWalker::declareLocal(NameKind kind, const ast::Name &name, SourceRange whole,
                                  SourceRange scope, Labels labels) {
  const auto entry = static_cast<uint32_t>(index_.entries.size());
  index_.entries.push_back(
      {kind, name.text, {text_->source, name.range}, whole, statement_, scope, labels});
  text_->uses.push_back({name.range, entry, true});
  locals_.emplace_back(name.text, entry);
  return entry;
}

NameWalker::Labels NameWalker::labelsOf(const ast::DomainSpec &spec, SourceRange statement) {
  if (spec.labelled()) {
    const auto [known, isNew] =
        lists_.try_emplace(&spec, static_cast<uint32_t>(index_.labels.size()));
    if (!isNew)
      return known->second;
    const uint32_t list = known->second;
    index_.labels.emplace_back();
    for (const ast::Name &label : spec.labels) {
      const auto next = static_cast<uint32_t>(index_.entries.size());
      const auto [entry, isFirst] = index_.labels[list].try_emplace(label.text, next);
      if (isFirst)
        index_.entries.push_back({NameKind::Label,
                                  label.text,
                                  {text_->source, label.range},
                                  label.range,
                                  statement,
                                  {},
                                  list});
      text_->uses.push_back({label.range, entry->second, true});
    }
    return list;
  }
  if (spec.file || spec.size.kind != ast::ExprKind::Ref)
    return {};
  const auto found = index_.globals.find(spec.size.name);
  return found == index_.globals.end() ? Labels() : index_.entries[found->second].labels;
}

void NameWalker::declareDomain(const ast::DomainDecl &decl, SourceRange statement) {
  declare(NameKind::Domain, decl.name, statement, statement, labelsOf(decl.spec, statement));
}

void NameWalker::declareIn(const ast::Decl &decl) {
  if (const auto *model = std::get_if<ast::ModelDecl>(&decl.node)) {
    declare(NameKind::Model, model->name, decl.range, statement_);
  } else if (const auto *variables = std::get_if<ast::VarDecl>(&decl.node)) {
    for (const ast::VarGroup &group : variables->groups) {
      const Labels labels = labelsOf(group.domain, statement_);
      for (const ast::VarItem &item : group.items)
        declare(NameKind::Variable, item.name, item.range, statement_, labels);
    }
  } else if (const auto *params = std::get_if<ast::ParamDecl>(&decl.node)) {
    for (const ast::ParamItem &item : params->items) {
      std::vector<Labels> axes;
      for (const ast::ParamAxis &axis : item.axes) {
        ast::DomainSpec spec;
        if (!axis.length.empty())
          spec.size = axis.length.front();
        axes.push_back(labelsOf(spec, statement_));
      }
      places_[declare(NameKind::Param, item.name, item.range, statement_)] = std::move(axes);
    }
  } else if (const auto *function = std::get_if<ast::DefDecl>(&decl.node)) {
    std::vector<Labels> domains;
    for (const ast::Argument &argument : function->arguments)
      domains.push_back(argument.domain.empty() ? Labels()
                                                : labelsOf(argument.domain.front(), statement_));
    places_[declare(NameKind::Function, function->name, decl.range, statement_)] =
        std::move(domains);
  } else if (const auto *factor = std::get_if<ast::FactorDecl>(&decl.node)) {
    declare(NameKind::Factor, factor->name, decl.range, statement_);
  } else if (const auto *query = std::get_if<ast::QueryDecl>(&decl.node)) {
    if (query->kind == QueryKind::Expression)
      declare(NameKind::Query, query->name, decl.range, statement_);
  } else if (const auto *loop = std::get_if<ast::ForDecl>(&decl.node)) {
    for (const ast::Decl &inner : loop->body)
      declareIn(inner);
  }
}

void NameWalker::uses(const ast::Decl &decl) {
  const SourceRange outer = std::exchange(statement_, decl.range);
  const size_t locals = locals_.size();
  std::visit([this](const auto &node) { usesOf(node); }, decl.node);
  locals_.resize(locals);
  statement_ = outer;
}

void NameWalker::spec(const ast::DomainSpec &spec) {
  if (spec.file)
    link(spec.file->path, false);
  else if (!spec.labelled())
    expression(spec.size);
}

void NameWalker::usesOf(const ast::DomainDecl &decl) { spec(decl.spec); }

void NameWalker::usesOf(const ast::VarDecl &decl) {
  for (const ast::VarGroup &group : decl.groups) {
    spec(group.domain);
    for (const ast::VarItem &item : group.items)
      for (const ast::Expr &length : item.dims)
        expression(length);
  }
}

void NameWalker::usesOf(const ast::ParamDecl &decl) {
  for (const ast::ParamItem &item : decl.items) {
    for (const ast::ParamAxis &axis : item.axes)
      for (const ast::Expr &length : axis.length)
        expression(length);
    for (const ast::Expr &argument : item.args)
      expression(argument);
    const auto declared = index_.globals.find(item.name.text);
    for (const ast::Value &given : item.given)
      value(given, {places_[declared->second], {}});
  }
}

void NameWalker::usesOf(const ast::DefDecl &decl) {
  for (const ast::Argument &argument : decl.arguments) {
    const Labels labels =
        argument.domain.empty() ? Labels() : labelsOf(argument.domain.front(), statement_);
    declareLocal(NameKind::Argument, argument.name, argument.name.range, statement_, labels);
    for (const ast::DomainSpec &domain : argument.domain)
      spec(domain);
  }
  value(decl.body, {});
}

void NameWalker::where(const std::vector<ast::Binding> &bindings) {
  for (const ast::Binding &binding : bindings) {
    expression(binding.value);
    declareLocal(NameKind::Binding, binding.name,
                 {binding.name.range.begin, binding.value.range.end}, statement_);
  }
}

void NameWalker::usesOf(const ast::FactorDecl &decl) {
  variables(decl.scope);
  where(decl.where);
  value(decl.value, axesOf(decl.scope));
}

void NameWalker::usesOf(const ast::ProbDecl &decl) {
  variable(decl.child);
  variables(decl.parents);
  where(decl.where);
  std::vector<ast::VarRef> scope = decl.parents;
  scope.push_back(decl.child);
  if (!decl.noisy)
    return value(decl.value, axesOf(scope));
  for (const ast::Value &leak : decl.noisy->leak)
    value(leak, axesOf({decl.child}));
  const std::vector<ast::Value> &causes = decl.noisy->causes;
  for (size_t i = 0; i < causes.size(); ++i) // one value may be that of all causes
    value(causes[i], i < decl.parents.size() ? axesOf({decl.parents[i], decl.child}) : Axes());
}

void NameWalker::usesOf(const ast::ForDecl &decl) {
  for (const ast::Expr &each : decl.ranges)
    range(each, statement_);
  for (const ast::Decl &inner : decl.body)
    uses(inner);
}

/// Whether the expression is the name of an array of numbers, which comes before a label there.
bool NameWalker::isArray(const ast::Expr &expr) const {
  const uint32_t *entry = expr.kind == ast::ExprKind::Ref ? find(expr.name) : nullptr;
  const auto places = entry == nullptr ? places_.end() : places_.find(*entry);
  return places != places_.end() && index_.entries[*entry].kind == NameKind::Param &&
         !places->second.empty();
}

void NameWalker::observation(const ast::ObserveItem &item) {
  variable(item.variable);
  const Labels labels = labelsOfVariable(item.variable);
  if (item.kind == ast::ObserveKind::State || item.kind == ast::ObserveKind::Do)
    return expression(item.state, isArray(item.state) ? Labels() : labels);
  const auto *states = item.kind == ast::ObserveKind::States
                           ? std::get_if<ast::ArrayLiteral>(&item.weights.node)
                           : nullptr;
  if (states == nullptr)
    return value(item.weights, {{labels}, {}});
  for (const ast::ComputedElement &element : states->computed)
    if (element.expr.kind != ast::ExprKind::Ref || element.expr.name != "_")
      expression(element.expr, labels);
}

void NameWalker::usesOf(const ast::ObserveDecl &decl) {
  for (const ast::ObserveItem &item : decl.items)
    observation(item);
}

void NameWalker::usesOf(const ast::OrderDecl &decl) {
  for (const std::vector<ast::VarRef> &chain : decl.chains)
    variables(chain);
}

void NameWalker::usesOf(const ast::QueryDecl &decl) {
  variables(decl.output);
  variables(decl.rows);
  for (const ast::ObserveItem &item : decl.given)
    observation(item);
  for (const ast::ReductionClause &clause : decl.reductions)
    variables(clause.variables);
  for (const ast::FactorRef &factor : decl.product) {
    if (factor.isProb) {
      variable(factor.child);
      continue;
    }
    if (const auto found = index_.factors.find(factor.name.text); found != index_.factors.end())
      use(factor.name.range, found->second);
    for (const ast::Expr &each : factor.indices)
      expression(each);
  }
  if (traitsOf(decl.kind).arguments == QueryArguments::Count)
    expression(decl.sampleCount);
}

} // namespace mpf

// Declarations and their parts. Expressions and values are in walk_expression.cpp.
#include "dsl/model/names/name_walker.h"

#include <utility>
#include <variant>

namespace mpf {

void NameWalker::walk(const ast::File &file, NameIndex::Text &text, Pass pass) {
  names_.startText(text);
  for (const ast::Decl &decl : file.decls) {
    names_.enter(decl.range);
    if (pass == Pass::Uses)
      uses(decl);
    else if (const auto *domain = std::get_if<ast::DomainDecl>(&decl.node))
      pass == Pass::Domains ? declareDomain(*domain, decl.range) : void();
    else if (pass == Pass::Names)
      declareIn(decl);
  }
}

void NameWalker::declareDomain(const ast::DomainDecl &decl, SourceRange statement) {
  names_.declare(NameKind::Domain, decl.name, statement, names_.labelsOf(decl.spec));
}

void NameWalker::declareIn(const ast::Decl &decl) {
  if (const auto *model = std::get_if<ast::ModelDecl>(&decl.node)) {
    names_.declare(NameKind::Model, model->name, decl.range);
  } else if (const auto *variables = std::get_if<ast::VarDecl>(&decl.node)) {
    for (const ast::VarGroup &group : variables->groups) {
      const PlaceLabels labels = names_.labelsOf(group.domain);
      for (const ast::VarItem &item : group.items)
        names_.declare(NameKind::Variable, item.name, item.range, labels);
    }
  } else if (const auto *params = std::get_if<ast::ParamDecl>(&decl.node)) {
    for (const ast::ParamItem &item : params->items) {
      std::vector<PlaceLabels> axes;
      for (const ast::ParamAxis &axis : item.axes) {
        ast::DomainSpec spec;
        if (!axis.length.empty())
          spec.size = axis.length.front();
        axes.push_back(names_.labelsOf(spec));
      }
      names_.setPlaces(names_.declare(NameKind::Param, item.name, item.range), std::move(axes));
    }
  } else if (const auto *function = std::get_if<ast::DefDecl>(&decl.node)) {
    std::vector<PlaceLabels> domains;
    for (const ast::Argument &argument : function->arguments)
      domains.push_back(argument.domain.empty() ? PlaceLabels()
                                                : names_.labelsOf(argument.domain.front()));
    names_.setPlaces(names_.declare(NameKind::Function, function->name, decl.range),
                     std::move(domains));
  } else if (const auto *factor = std::get_if<ast::FactorDecl>(&decl.node)) {
    names_.declare(NameKind::Factor, factor->name, decl.range);
  } else if (const auto *query = std::get_if<ast::QueryDecl>(&decl.node)) {
    if (query->kind == QueryKind::Expression)
      names_.declare(NameKind::Query, query->name, decl.range);
  } else if (const auto *loop = std::get_if<ast::ForDecl>(&decl.node)) {
    for (const ast::Decl &inner : loop->body)
      declareIn(inner);
  }
}

void NameWalker::uses(const ast::Decl &decl) {
  const SourceRange outer = names_.enter(decl.range);
  const size_t locals = names_.locals();
  std::visit([this](const auto &node) { usesOf(node); }, decl.node);
  names_.endLocals(locals);
  names_.enter(outer);
}

void NameWalker::spec(const ast::DomainSpec &spec) {
  if (spec.file)
    names_.link(spec.file->path, false);
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
      value(given, {names_.placesOf(declared->second), {}});
  }
}

void NameWalker::usesOf(const ast::DefDecl &decl) {
  for (const ast::Argument &argument : decl.arguments) {
    const PlaceLabels labels =
        argument.domain.empty() ? PlaceLabels() : names_.labelsOf(argument.domain.front());
    names_.declareLocal(NameKind::Argument, argument.name, argument.name.range, names_.statement(),
                        labels);
    for (const ast::DomainSpec &domain : argument.domain)
      spec(domain);
  }
  value(decl.body, {});
}

void NameWalker::where(const std::vector<ast::Binding> &bindings) {
  for (const ast::Binding &binding : bindings) {
    expression(binding.value);
    names_.declareLocal(NameKind::Binding, binding.name,
                        {binding.name.range.begin, binding.value.range.end}, names_.statement());
  }
}

void NameWalker::usesOf(const ast::FactorDecl &decl) {
  variables(decl.scope);
  where(decl.where);
  value(decl.value, names_.axesOf(decl.scope));
}

void NameWalker::usesOf(const ast::ProbDecl &decl) {
  variable(decl.child);
  variables(decl.parents);
  where(decl.where);
  std::vector<ast::VarRef> scope = decl.parents;
  scope.push_back(decl.child);
  if (!decl.noisy)
    return value(decl.value, names_.axesOf(scope));
  for (const ast::Value &leak : decl.noisy->leak)
    value(leak, names_.axesOf({decl.child}));
  const std::vector<ast::Value> &causes = decl.noisy->causes;
  for (size_t i = 0; i < causes.size(); ++i) // one value may be that of all causes
    value(causes[i],
          i < decl.parents.size() ? names_.axesOf({decl.parents[i], decl.child}) : StateAxes());
}

void NameWalker::usesOf(const ast::ForDecl &decl) {
  for (const ast::Expr &each : decl.ranges)
    range(each, names_.statement());
  for (const ast::Decl &inner : decl.body)
    uses(inner);
}

void NameWalker::observation(const ast::ObserveItem &item) {
  variable(item.variable);
  const PlaceLabels labels = names_.labelsOfVariable(item.variable);
  if (item.kind == ast::ObserveKind::State || item.kind == ast::ObserveKind::Do)
    return expression(item.state, names_.isArray(item.state) ? PlaceLabels() : labels);
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
      names_.use(factor.name.range, found->second);
    for (const ast::Expr &each : factor.indices)
      expression(each);
  }
  if (traitsOf(decl.kind).arguments == QueryArguments::Count)
    expression(decl.sampleCount);
}

} // namespace mpf

#include "dsl/model/names/known_names.h"

#include <algorithm>
#include <iterator>

namespace mpf {

StateAxes StateAxes::behind(size_t axes) const {
  const auto begin = first.begin() + static_cast<ptrdiff_t>(std::min(axes, first.size()));
  return {{begin, first.end()}, others};
}

void KnownNames::declareImport(const SourcePlace &place, const Model &model) {
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

uint32_t KnownNames::declare(NameKind kind, const ast::Name &name, SourceRange whole,
                             PlaceLabels labels) {
  const auto next = static_cast<uint32_t>(index_.entries.size());
  uint32_t entry = next;
  if (kind == NameKind::Factor)
    entry = index_.factors.try_emplace(name.text, next).first->second;
  else if (kind != NameKind::Model && kind != NameKind::Query)
    entry = index_.globals.try_emplace(name.text, next).first->second;
  if (entry == next)
    index_.entries.push_back(
        {kind, name.text, {text_->source, name.range}, whole, statement_, {}, labels});
  text_->uses.push_back({name.range, entry, true});
  return entry;
}

uint32_t KnownNames::declareLocal(NameKind kind, const ast::Name &name, SourceRange whole,
                                  SourceRange scope, PlaceLabels labels) {
  const auto entry = static_cast<uint32_t>(index_.entries.size());
  index_.entries.push_back(
      {kind, name.text, {text_->source, name.range}, whole, statement_, scope, labels});
  text_->uses.push_back({name.range, entry, true});
  locals_.emplace_back(name.text, entry);
  return entry;
}

PlaceLabels KnownNames::labelsOf(const ast::DomainSpec &spec) {
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
                                  statement_,
                                  {},
                                  list});
      text_->uses.push_back({label.range, entry->second, true});
    }
    return list;
  }
  if (spec.file || spec.size.kind != ast::ExprKind::Ref)
    return {};
  const auto found = index_.globals.find(spec.size.name);
  return found == index_.globals.end() ? PlaceLabels() : index_.entries[found->second].labels;
}

const uint32_t *KnownNames::find(const std::string &name) const {
  for (auto local = locals_.rbegin(); local != locals_.rend(); ++local)
    if (local->first == name)
      return &local->second;
  const auto found = index_.globals.find(name);
  return found == index_.globals.end() ? nullptr : &found->second;
}

void KnownNames::use(SourceRange range, uint32_t entry) {
  text_->uses.push_back({range, entry, false});
}

void KnownNames::link(const ast::Name &path, bool isModel) {
  text_->links.push_back({path.range, path.text, isModel});
}

PlaceLabels KnownNames::statedLabels(const ast::Expr &expr) const {
  const uint32_t *entry = expr.kind == ast::ExprKind::Ref ? find(expr.name) : nullptr;
  return entry == nullptr ? PlaceLabels() : index_.entries[*entry].labels;
}

PlaceLabels KnownNames::labelsOfVariable(const ast::VarRef &ref) const {
  const auto found = index_.globals.find(ref.name.text);
  return found == index_.globals.end() ? PlaceLabels() : index_.entries[found->second].labels;
}

StateAxes KnownNames::axesOf(const std::vector<ast::VarRef> &scope) const {
  StateAxes axes;
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

void KnownNames::label(const ast::Name &name, PlaceLabels labels) {
  if (labels) {
    const auto &list = index_.labels[*labels];
    if (const auto found = list.find(name.text); found != list.end())
      return use(name.range, found->second);
  }
  text_->unknown.push_back(name);
}

bool KnownNames::isArray(const ast::Expr &expr) const {
  const uint32_t *entry = expr.kind == ast::ExprKind::Ref ? find(expr.name) : nullptr;
  const auto places = entry == nullptr ? places_.end() : places_.find(*entry);
  return places != places_.end() && index_.entries[*entry].kind == NameKind::Param &&
         !places->second.empty();
}

const std::vector<PlaceLabels> &KnownNames::placesOf(uint32_t entry) const {
  static const std::vector<PlaceLabels> kNone;
  const auto found = places_.find(entry);
  return found == places_.end() ? kNone : found->second;
}

} // namespace mpf

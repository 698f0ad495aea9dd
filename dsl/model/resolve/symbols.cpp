#include "dsl/model/resolve/symbols.h"

#include "dsl/syntax/spelling.h"

namespace mpf {

namespace {
/// The most names among which a similar one is searched, to bound the time.
constexpr size_t kMaxSuggestions = 100'000;
} // namespace

const char *Symbol::kindName() const {
  if (std::holds_alternative<VariableSymbol>(what))
    return "a variable";
  if (std::holds_alternative<ParamSymbol>(what))
    return "a param";
  if (std::holds_alternative<FunctionPtr>(what))
    return "a function";
  if (std::holds_alternative<ArrayPtr>(what))
    return "an array of numbers";
  return isBroken() ? "something else" : "a domain";
}

bool Symbols::declare(const std::string &name, Symbol symbol, Diagnostics &diagnostics) {
  const SourcePlace place = symbol.place;
  const auto [entry, isNew] = byName_.try_emplace(name, std::move(symbol));
  if (!isNew) {
    diagnostics.error(place, "'{}' is already declared as {}", excerpt(name),
                      entry->second.kindName());
    diagnostics.note(entry->second.place, "first declared here");
  }
  return isNew;
}

const Symbol *Symbols::find(const std::string &name) const {
  const auto found = byName_.find(name);
  return found == byName_.end() ? nullptr : &found->second;
}

template <class... What> std::string Symbols::hintFor(const std::string &name) const {
  Suggestion suggestion(name);
  if (byName_.size() <= kMaxSuggestions)
    for (const auto &[candidate, symbol] : byName_)
      if ((std::holds_alternative<What>(symbol.what) || ...))
        suggestion.offer(candidate);
  return suggestion.hint();
}
template std::string Symbols::hintFor<VariableSymbol>(const std::string &) const;
template std::string Symbols::hintFor<ParamSymbol, ArrayPtr>(const std::string &) const;
template std::string Symbols::hintFor<FunctionPtr>(const std::string &) const;
template std::string Symbols::hintFor<DomainPtr>(const std::string &) const;

std::string Symbols::hintFor(const std::string &name) const {
  Suggestion suggestion(name);
  if (byName_.size() <= kMaxSuggestions)
    for (const auto &[candidate, symbol] : byName_)
      suggestion.offer(candidate);
  return suggestion.hint();
}

bool FactorNames::declare(const std::string &family, size_t indexCount, const std::string &key,
                          FactorId id, const SourcePlace &place, Diagnostics &diagnostics) {
  const auto otherCount = [&](size_t count, const SourcePlace &first) {
    diagnostics.error(place, "factor '{}' has {} indices here and {} elsewhere",
                      excerpt(family, 80), indexCount, count);
    diagnostics.note(first, "first declared here");
    return false;
  };
  if (indexCount == 0) {
    if (const Family *other = this->family(key))
      return otherCount(other->indexCount, other->place);
  } else if (const auto scalar = members_.find(family); scalar != members_.end()) {
    return otherCount(0, scalar->second.place);
  }
  const auto [entry, isNew] = members_.try_emplace(key, Member{id, place});
  if (!isNew) {
    const bool isIncluded = entry->second.place.buffer != place.buffer;
    diagnostics.report(
        {Severity::Error, place, fmt::format("factor '{}' is declared twice", excerpt(key, 80)),
         isIncluded ? "mpfc import writes an included file as .mpf, to be changed" : ""});
    diagnostics.note(entry->second.place, "first declared here");
    return false;
  }
  if (indexCount == 0)
    return true;
  Family &entries = families_.try_emplace(family, Family{{}, indexCount, place}).first->second;
  if (entries.indexCount != indexCount)
    return otherCount(entries.indexCount, entries.place);
  entries.members.push_back(id);
  return true;
}

const FactorNames::Family *FactorNames::family(const std::string &name) const {
  const auto found = families_.find(name);
  return found == families_.end() ? nullptr : &found->second;
}

SourcePlace FactorNames::placeOf(const std::string &key) const {
  const auto found = members_.find(key);
  return found == members_.end() ? SourcePlace{} : found->second.place;
}

std::optional<FactorId> FactorNames::member(const std::string &key) const {
  const auto found = members_.find(key);
  return found == members_.end() ? std::nullopt : std::optional(found->second.id);
}

std::string FactorNames::hintFor(const std::string &name) const {
  Suggestion suggestion(name);
  if (members_.size() + families_.size() <= kMaxSuggestions) {
    for (const auto &[candidate, family] : families_)
      suggestion.offer(candidate);
    for (const auto &[candidate, member] : members_)
      suggestion.offer(candidate);
  }
  return suggestion.hint();
}

} // namespace mpf

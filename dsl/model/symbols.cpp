#include "dsl/model/symbols.h"

#include "dsl/model/build_context.h"
#include "dsl/syntax/spelling.h"

namespace mpf {

namespace {
/// Looking for a similar name among more than this takes longer than it helps.
constexpr size_t kMaxSuggestions = 100'000;
} // namespace

void reportUnknown(BuildContext &context, SourceRange range, std::string message,
                   std::string hint) {
  if (!context.incomplete)
    context.errorWithHint(range, std::move(message), std::move(hint));
}

const char *Symbol::kindName() const {
  if (std::holds_alternative<VariableSymbol>(what))
    return "a variable";
  if (std::holds_alternative<ParamSymbol>(what))
    return "a param";
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

template <class What> std::string Symbols::hintFor(const std::string &name) const {
  Suggestion suggestion(name);
  if (byName_.size() <= kMaxSuggestions)
    for (const auto &[candidate, symbol] : byName_)
      if (std::holds_alternative<What>(symbol.what))
        suggestion.offer(candidate);
  return suggestion.hint();
}
template std::string Symbols::hintFor<VariableSymbol>(const std::string &) const;
template std::string Symbols::hintFor<ParamSymbol>(const std::string &) const;
template std::string Symbols::hintFor<DomainPtr>(const std::string &) const;

std::string Symbols::hintFor(const std::string &name) const {
  Suggestion suggestion(name);
  if (byName_.size() <= kMaxSuggestions)
    for (const auto &[candidate, symbol] : byName_)
      suggestion.offer(candidate);
  return suggestion.hint();
}

bool FactorNames::declare(const std::string &family, size_t indexCount, const std::string &key,
                          const std::string &name, FactorId id, const SourcePlace &place,
                          Diagnostics &diagnostics) {
  const auto taken = [&](const Member &other, const std::string &text) {
    diagnostics.error(place, "factor '{}' is declared twice", excerpt(text, 80));
    diagnostics.note(other.place, "first declared here");
    return false;
  };
  if (const auto full = fullNames_.find(key); full != fullNames_.end())
    return taken(full->second, key);
  const auto [entry, isNew] = members_.try_emplace(key, Member{id, place});
  if (!isNew)
    return taken(entry->second, key);
  if (name != key) {
    if (const auto other = members_.find(name); other != members_.end())
      return taken(other->second, name);
    if (const auto [full, fresh] = fullNames_.try_emplace(name, Member{id, place}); !fresh)
      return taken(full->second, name);
  }
  Family &entries = families_.try_emplace(family, Family{{}, indexCount, place}).first->second;
  if (entries.indexCount != indexCount) {
    diagnostics.error(place, "factor '{}' has {} indices here and {} elsewhere",
                      excerpt(family, 80), indexCount, entries.indexCount);
    diagnostics.note(entries.place, "first declared here");
    return false;
  }
  entries.members.push_back(id);
  return true;
}

const FactorNames::Family *FactorNames::family(const std::string &name) const {
  const auto found = families_.find(name);
  return found == families_.end() ? nullptr : &found->second;
}

std::optional<FactorId> FactorNames::member(const std::string &key) const {
  const auto found = members_.find(key);
  if (found != members_.end())
    return found->second.id;
  const auto full = fullNames_.find(key);
  return full == fullNames_.end() ? std::nullopt : std::optional(full->second.id);
}

std::string FactorNames::hintFor(const std::string &name) const {
  Suggestion suggestion(name);
  if (families_.size() <= kMaxSuggestions)
    for (const auto &[candidate, family] : families_)
      suggestion.offer(candidate);
  return suggestion.hint();
}

} // namespace mpf

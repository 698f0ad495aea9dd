#include "dsl/formats/cases/columns/entry_name.h"

#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>
#include <vector>

namespace mpf {

namespace {

std::string_view withoutSpaces(std::string_view text) {
  while (text.starts_with(' '))
    text.remove_prefix(1);
  while (text.ends_with(' '))
    text.remove_suffix(1);
  return text;
}

/// Returns the end of the quoted name that starts at `at`; the end of the text if it is not closed.
size_t behindQuoted(std::string_view text, size_t at) {
  for (++at; at < text.size() && text[at] != '`'; ++at)
    at += text[at] == '\\';
  return std::min(at + 1, text.size());
}

/// Splits "[a,b][c]" into "a", "b", "c". Returns nothing if a bracket is missing, or for other text
/// between brackets.
std::optional<std::vector<std::string_view>> splitIndices(std::string_view text) {
  std::vector<std::string_view> indices;
  size_t at = 0;
  while (at < text.size()) {
    if (text[at] != '[')
      return std::nullopt;
    size_t begin = ++at, depth = 1;
    while (at < text.size() && depth != 0) {
      const char c = text[at];
      if (c == '`') {
        at = behindQuoted(text, at);
        continue;
      }
      depth += c == '[';
      depth -= c == ']';
      if ((c == ',' && depth == 1) || depth == 0) {
        indices.push_back(withoutSpaces(text.substr(begin, at - begin)));
        begin = at + 1;
      }
      ++at;
    }
    if (depth != 0)
      return std::nullopt;
    while (at < text.size() && text[at] == ' ')
      ++at;
  }
  return indices;
}

/// Returns the text of an index without backquotes.
std::string plainText(std::string_view spelled) {
  spelled = withoutSpaces(spelled);
  const bool isQuoted =
      spelled.size() >= 2 && spelled.front() == '`' && behindQuoted(spelled, 0) == spelled.size();
  return isQuoted ? unspell(spelled) : std::string(spelled);
}

class EntryResolver {
public:
  EntryResolver(const EntryName &name, const Model &model, StateNames &names, std::string &problem)
      : model_(model), factor_(model.factor(name.factor)), text_(name.indices), names_(names),
        problem_(problem), states_(factor_.scope.size(), kNone) {}

  std::optional<uint64_t> run() {
    const auto indices = splitIndices(text_);
    if (!indices)
      return fault("brackets are missing in '{}'", excerpt(text_));
    if (indices->size() != factor_.scope.size())
      return fault("'{}' has {} indices, table '{}' has {} variables ({})", excerpt(text_),
                   indices->size(), name(), factor_.scope.size(), scopeNames());
    size_t named = 0;
    for (size_t i = 0; i < indices->size(); ++i) {
      const Index index = indexIn((*indices)[i]);
      named += index.variable.has_value();
      if (!setState(index, i))
        return std::nullopt;
    }
    if (named != 0 && named != indices->size())
      return fault("some indices of '{}' name their variable, some do not", excerpt(text_));
    uint64_t entry = 0;
    for (size_t v = 0; v < states_.size(); ++v)
      entry = entry * variableAt(v).extent + states_[v];
    return entry;
  }

private:
  static constexpr uint32_t kNone = UINT32_MAX;

  struct Index {
    std::optional<std::string> variable; ///< not set: the next variable of the scope
    std::string_view state;              ///< text of the state, perhaps in backquotes
  };

  template <class... Args>
  std::nullopt_t fault(fmt::format_string<Args...> format, Args &&...args) {
    problem_ = fmt::format(format, std::forward<Args>(args)...);
    return std::nullopt;
  }

  const Variable &variableAt(size_t v) const { return model_.variable(factor_.scope[v]); }
  std::string name() const { return excerpt(factor_.name); }

  std::string scopeNames() const {
    std::vector<std::string> names;
    for (size_t v = 0; v < factor_.scope.size(); ++v)
      names.push_back(variableAt(v).name);
    return excerpt(fmt::format("{}", fmt::join(names, ", ")), 80);
  }

  std::optional<size_t> placeInScope(const std::string &variable) const {
    for (size_t v = 0; v < factor_.scope.size(); ++v)
      if (variableAt(v).name == variable)
        return v;
    return std::nullopt;
  }

  /// Splits an index at a '=' that follows the name of a variable. Labels may contain '=' too.
  Index indexIn(std::string_view text) const {
    for (size_t at = 0; at < text.size(); ++at) {
      if (text[at] == '`') {
        at = behindQuoted(text, at) - 1;
        continue;
      }
      if (text[at] != '=')
        continue;
      std::string variable = plainText(text.substr(0, at));
      if (placeInScope(variable) ||
          std::ranges::find(model_.variables, variable, &Variable::name) != model_.variables.end())
        return {std::move(variable), withoutSpaces(text.substr(at + 1))};
    }
    return {std::nullopt, withoutSpaces(text)};
  }

  bool setState(const Index &index, size_t number) {
    size_t place = number;
    if (index.variable) {
      const auto found = placeInScope(*index.variable);
      if (!found) {
        fault("table '{}' does not depend on '{}': its variables are {}", name(),
              excerpt(*index.variable), scopeNames());
        return false;
      }
      place = *found;
    }
    if (states_[place] != kNone) {
      fault("'{}' gives two states of '{}'", excerpt(text_), excerpt(variableAt(place).name));
      return false;
    }
    const auto state = names_.find(factor_.scope[place], index.state, problem_);
    if (!state)
      return false;
    states_[place] = *state;
    return true;
  }

  const Model &model_;
  const Factor &factor_;
  const std::string_view text_;
  StateNames &names_;
  std::string &problem_;
  std::vector<uint32_t> states_; ///< state of each variable of the scope
};

/// Returns the name with the states of the first `count` variables of the scope. `number` is the
/// number of their combination, the last variable fastest.
std::string nameAt(const Model &model, const Factor &factor, size_t count, uint64_t number) {
  std::vector<std::string> states(count);
  for (size_t v = count; v-- > 0;) {
    const Variable &variable = model.variable(factor.scope[v]);
    const uint64_t state = number % variable.extent;
    number /= variable.extent;
    states[v] =
        variable.labels.empty() ? fmt::format("{}", state) : spellName(variable.labels[state]);
  }
  std::string text = factor.name;
  for (const std::string &state : states)
    text += fmt::format("[{}]", state);
  return text;
}

} // namespace

std::optional<EntryName>
splitEntryName(std::string_view name,
               const std::function<std::optional<FactorId>(std::string_view)> &factorNamed) {
  for (size_t at = name.find('['); at != std::string_view::npos; at = name.find('[', at + 1))
    if (const auto factor = factorNamed(withoutSpaces(name.substr(0, at))))
      return EntryName{*factor, name.substr(at)};
  const auto factor = factorNamed(name);
  return factor ? std::optional(EntryName{*factor, {}}) : std::nullopt;
}

std::optional<uint64_t> entryNumber(const EntryName &name, const Model &model, StateNames &states,
                                    std::string &problem) {
  return EntryResolver(name, model, states, problem).run();
}

std::string entryName(const Model &model, const Factor &factor, uint64_t entry) {
  return nameAt(model, factor, factor.scope.size(), entry);
}

std::string rowName(const Model &model, const Factor &factor, uint64_t row) {
  return nameAt(model, factor, factor.scope.size() - 1, row);
}

} // namespace mpf

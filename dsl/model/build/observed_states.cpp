#include "dsl/model/build/observed_states.h"

#include "dsl/model/resolve/index_list.h"
#include "dsl/model/resolve/language_expression.h"
#include "dsl/model/resolve/number_array.h"
#include "dsl/model/resolve/read_array.h"
#include "dsl/model/resolve/state_ref.h"
#include "dsl/support/files/lower_case.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace mpf {

namespace {

constexpr std::string_view kNotObserved = "_";
/// The most words of one file that are reported.
constexpr size_t kMostErrors = 3;

const DomainInfo &domainOf(const BuildContext &context, VarId variable) {
  return *context.domains[variable.index()];
}

/// Whether the number means that the variable is not observed.
bool isNoState(const DomainInfo &domain, double number) {
  return !(number >= 0) && MissingNumbers(domain.labels).contains(number);
}

/// Reports '_' where it is a label, too.
bool reportMark(BuildContext &context, VarId variable, SourceRange range) {
  if (!domainOf(context, variable).stateOf.contains(std::string(kNotObserved)))
    return false;
  context.errorWithHint(range,
                        fmt::format("'_' is a label of '{}', and means \"not observed\" here",
                                    excerpt(context.model.variable(variable).name)),
                        "the label is written \"_\" in a list");
  return true;
}

/// Returns the state that an expression names: a label or a number; nothing after reporting.
std::optional<uint32_t> resolveState(BuildContext &context, VarId variable, const ast::Expr &expr) {
  const DomainInfo &domain = domainOf(context, variable);
  if (expr.kind == ast::ExprKind::String)
    return stateWithLabel(context, placeOf(context, variable), expr.name, expr.range);
  if (expr.kind == ast::ExprKind::Ref && expr.children.empty()) {
    if (!checkOneMeaning(context, placeOf(context, variable), expr))
      return std::nullopt;
    const bool known =
        findLoopIndex(context, expr.name) != nullptr || context.symbols.find(expr.name) != nullptr;
    if (domain.stateOf.contains(expr.name) || !known)
      return stateWithLabel(context, placeOf(context, variable), expr.name, expr.range);
  }
  if (expr.kind == ast::ExprKind::Conditional) {
    const auto holds = foldNumber(context, expr.children[0], "a condition", ParamUse::Constant);
    return holds ? resolveState(context, variable, expr.children[*holds != 0 ? 1 : 2])
                 : std::nullopt;
  }
  const auto value = foldNumber(context, expr, "a state", ParamUse::Constant);
  if (!value)
    return std::nullopt;
  return stateWithNumber(context, placeOf(context, variable), {*value, numberText(expr)},
                         expr.range);
}

/// One element of a list; an inner nothing is a variable that is not observed.
std::optional<std::optional<uint32_t>> elementState(BuildContext &context, VarId variable,
                                                    const ast::Expr &expr) {
  using State = std::optional<uint32_t>;
  if (expr.kind == ast::ExprKind::Ref && expr.children.empty() && expr.name == kNotObserved)
    return reportMark(context, variable, expr.range) ? std::nullopt : std::optional<State>(State());
  const auto state = resolveState(context, variable, expr);
  return state ? std::optional<State>(state) : std::nullopt;
}

std::optional<ObservedStates> statesOfList(BuildContext &context, const ast::ArrayLiteral &list,
                                           std::span<const VarId> variables) {
  ObservedStates states;
  bool isSound = true;
  auto computed = list.computed.begin();
  for (size_t i = 0; i < variables.size(); ++i) {
    if (computed != list.computed.end() && computed->index == i) {
      const auto state = elementState(context, variables[i], computed++->expr);
      isSound &= state.has_value();
      states.push_back(state.value_or(std::nullopt));
    } else if (isNoState(domainOf(context, variables[i]), list.values[i])) {
      states.push_back(std::nullopt);
    } else {
      states.push_back(
          stateWithNumber(context, placeOf(context, variables[i]), {list.values[i]}, list.range));
      isSound &= states.back().has_value();
    }
    if (context.diagnostics.full())
      return std::nullopt;
  }
  return isSound ? std::optional(std::move(states)) : std::nullopt;
}

/// Returns the state of a word; an inner nothing is a variable that is not observed. `isText`: the
/// file is a text. In arrays a word without text is NaN.
std::optional<std::optional<uint32_t>> wordState(BuildContext &context, VarId variable,
                                                 const FileWord &word, bool isText) {
  using State = std::optional<uint32_t>;
  const DomainInfo &domain = domainOf(context, variable);
  const auto known = [](State state) { return state ? std::optional<State>(state) : std::nullopt; };
  if (word.isLabel)
    return known(stateWithLabel(context, placeOf(context, variable), word.text, word.range));
  if (word.text == kNotObserved)
    return reportMark(context, variable, word.range) ? std::nullopt : std::optional<State>(State());
  if (!isText && word.text.empty() && !isNoState(domain, std::nan(""))) {
    context.errorWithHint(word.range,
                          fmt::format("NaN is a label of '{}', so it does not mean not observed",
                                      excerpt(context.model.variable(variable).name)),
                          "a list of labels, or a text file, says which state it is");
    return std::nullopt;
  }
  const bool isLabel = domain.stateOf.contains(word.text);
  if (!isLabel && (word.text.empty() || lowerCase(word.text) == "nan"))
    return State();
  const std::optional<double> number = numberInText(word.text);
  if (!number)
    return known(stateWithLabel(context, placeOf(context, variable), word.text, word.range));
  if (isNoState(domain, *number))
    return State();
  return known(
      stateWithNumber(context, placeOf(context, variable), {*number, word.text}, word.range));
}

/// The shape of what an observation takes its states from.
struct GivenShape {
  std::vector<uint64_t> lengths;
  bool isRagged = false;
  bool hasLinesOnly = false; ///< WordFile::hasLinesOnly
};

/// Whether states in this shape stand where the variables stand. A flat list does: it has the order
/// of the variables.
bool hasShapeOf(const ast::VarRef &variable, std::span<const uint64_t> dims,
                const GivenShape &given) {
  const bool isFlat = !given.isRagged &&
                      std::ranges::count_if(given.lengths, [](uint64_t n) { return n != 1; }) < 2;
  if (isFlat || (given.hasLinesOnly && dims.size() == 1))
    return true;
  if (given.isRagged || !variable.indices.empty())
    return false;
  if (!given.hasLinesOnly)
    return std::ranges::equal(given.lengths, dims);
  uint64_t columns = 1; // a line of a text has all states of some of the last axes
  for (size_t axis = dims.size(); axis-- > 0 && columns < given.lengths.back();)
    columns *= dims[axis];
  return columns == given.lengths.back();
}

/// Returns false after reporting a shape that is not that of the variables.
bool checkShape(BuildContext &context, const ast::ObserveItem &item, const GivenShape &given,
                const std::string &what, SourceRange range) {
  const auto *array = context.symbols.findAs<VariableSymbol>(item.variable.name.text);
  if (array == nullptr || hasShapeOf(item.variable, array->dims, given))
    return true;
  context.errorWithHint(range,
                        fmt::format("{} {}, '{}' is {}", what,
                                    given.isRagged ? "has rows of different lengths"
                                                   : "is " + dimsText(given.lengths),
                                    excerpt(item.variable.name.text), dimsText(array->dims)),
                        "a flat list has the last index fastest");
  return false;
}

std::optional<ObservedStates> statesOfFile(BuildContext &context, const ast::ObserveItem &item,
                                           const ast::FileValue &path,
                                           std::span<const VarId> variables) {
  const SourcePlace place = context.at(path.path.range);
  auto file = readWords(
      context, path,
      {.path = "", .member = "", .name = item.variable.name.text, .maxEntries = variables.size()});
  if (!file)
    return std::nullopt;
  if (file->words.size() != variables.size()) {
    context.error(path.path.range, "{} has {} entries, {} names {} variables",
                  excerpt(path.path.text, 80), file->words.size(), excerpt(item.variable.name.text),
                  variables.size());
    return std::nullopt;
  }
  if (!checkShape(context, item, {file->shape, file->isRagged, file->hasLinesOnly},
                  excerpt(path.path.text, 80), path.path.range))
    return std::nullopt;
  // The functions below report in the text of the file, if it has one.
  const auto model = std::exchange(context.source, file->text ? file->text : context.source);
  ObservedStates states;
  size_t errors = 0;
  for (size_t i = 0; i < variables.size() && errors < kMostErrors; ++i) {
    if (file->text == nullptr)
      file->words[i].range = path.path.range;
    const auto state = wordState(context, variables[i], file->words[i], file->text != nullptr);
    errors += !state.has_value();
    states.push_back(state.value_or(std::nullopt));
  }
  context.source = model;
  if (errors == 0)
    return states;
  context.diagnostics.note(place, "the file is read here");
  return std::nullopt;
}

/// Returns the states that the numbers of an array mean.
std::optional<ObservedStates> statesOfArray(BuildContext &context, const ast::ObserveItem &item,
                                            std::span<const VarId> variables) {
  const auto view = resolveArray(context, item.state);
  if (!view)
    return std::nullopt;
  const std::span<const double> numbers = view->numbers();
  if (numbers.size() != variables.size()) {
    context.error(item.state.range, "this array has {} numbers, '{}' names {} variable{}",
                  numbers.size(), excerpt(item.variable.name.text), variables.size(),
                  variables.size() == 1 ? "" : "s");
    return std::nullopt;
  }
  if (!checkShape(context, item, {view->shape(), view->isRagged()}, "this array", item.state.range))
    return std::nullopt;
  ObservedStates states;
  for (size_t i = 0; i < variables.size(); ++i) {
    states.emplace_back();
    if (isNoState(domainOf(context, variables[i]), numbers[i]))
      continue;
    states.back() =
        stateWithNumber(context, placeOf(context, variables[i]), {numbers[i]}, item.state.range);
    if (!states.back())
      return std::nullopt;
  }
  return states;
}

} // namespace

std::optional<ObservedStates> resolveStates(BuildContext &context, const ast::ObserveItem &item,
                                            std::span<const VarId> variables) {
  if (item.kind == ast::ObserveKind::State && isArray(context, item.state)) {
    const bool isName = item.state.kind == ast::ExprKind::Ref && item.state.children.empty();
    if (isName && !checkOneMeaning(context, placeOf(context, variables.front()), item.state))
      return std::nullopt;
    return statesOfArray(context, item, variables);
  }
  if (item.kind != ast::ObserveKind::States) {
    const auto state = resolveState(context, variables.front(), item.state);
    return state ? std::optional(ObservedStates(variables.size(), state)) : std::nullopt;
  }
  if (const auto *file = std::get_if<ast::FileValue>(&item.weights.node))
    return statesOfFile(context, item, *file, variables);
  const auto &list = std::get<ast::ArrayLiteral>(item.weights.node);
  const std::string name = excerpt(item.variable.name.text);
  if (list.values.size() != variables.size()) {
    context.errorWithHint(list.range,
                          fmt::format("the list has {} state{}, '{}' names {} variable{}",
                                      list.values.size(), list.values.size() == 1 ? "" : "s", name,
                                      variables.size(), variables.size() == 1 ? "" : "s"),
                          variables.size() == 1 ? "soft evidence is written with '~'" : "");
    return std::nullopt;
  }
  if (!checkShape(context, item, {list.shape}, "the list", list.range))
    return std::nullopt;
  return statesOfList(context, list, variables);
}

} // namespace mpf

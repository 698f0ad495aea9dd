#include "dsl/formats/bif_probability.h"

#include "dsl/model/row_sums.h"
#include "dsl/source/suggest.h"
#include "dsl/support/number_text.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {

constexpr uint64_t kMaxDefaultElems = uint64_t{1} << 24;
/// Published rows are rounded to a few digits; beyond this they are probably wrong.
constexpr double kFarFromOne = 1e-2;

} // namespace

struct BifProbabilityReader::Rows {
  BifToken head; ///< the child's name
  std::vector<VarId> parents;
  VarId child;
  std::string notation; ///< "P(lung | smoke)"
  uint64_t childExtent = 0, count = 1;
  std::vector<double> values; ///< row-major over (parents..., child)
  std::vector<bool> isSet;    ///< by row
  uint64_t setCount = 0;
  std::vector<double> defaults; ///< empty: none
  bool hasTable = false;

  void put(uint64_t row, const std::vector<double> &numbers) {
    std::copy(numbers.begin(), numbers.end(),
              values.begin() + static_cast<std::ptrdiff_t>(row * childExtent));
    isSet[row] = true;
    ++setCount;
  }

  /// "(yes, no)"
  std::string rowText(const Model &model, uint64_t row) const {
    std::vector<std::string> labels(parents.size());
    for (size_t i = parents.size(); i-- > 0;) {
      const Variable &parent = model.variable(parents[i]);
      labels[i] = excerpt(parent.labels[row % parent.extent]);
      row /= parent.extent;
    }
    std::string text;
    for (const std::string &label : labels)
      text += (text.empty() ? "" : ", ") + label;
    return "(" + text + ")";
  }
};

std::optional<VarId> BifProbabilityReader::takeVariable(const char *what) {
  const std::optional<BifToken> name = context_.takeWord(what);
  if (!name)
    return std::nullopt;
  const auto found = context_.variables.find(std::string(name->text));
  if (found != context_.variables.end())
    return found->second;
  if (!context_.incomplete) {
    Suggestion suggestion(name->text);
    for (const Variable &variable : context_.model.variables)
      suggestion.offer(variable.name);
    context_.diagnostics.report({Severity::Error, context_.lexer.placeOf(*name),
                                 fmt::format("no variable is called '{}'", excerpt(name->text)),
                                 suggestion.hint()});
  }
  return std::nullopt;
}

bool BifProbabilityReader::readScope(Factor &factor, BifToken &child) {
  if (!context_.takeMark('(', "'(' and the name of a variable"))
    return false;
  child = context_.lexer.peek();
  const std::optional<VarId> id = takeVariable("the name of a variable");
  if (!id)
    return false;
  if (const auto &before = blockOf_[id->index()]) {
    context_.error(child, "'{}' has a second probability block", excerpt(child.text));
    context_.diagnostics.note(context_.lexer.placeOf(*before), "the first one is here");
    return false;
  }
  blockOf_[id->index()] = child;
  if (context_.acceptMark('|'))
    while (!context_.lexer.peek().isMark(')')) {
      const BifToken at = context_.lexer.peek();
      const std::optional<VarId> parent = takeVariable("the name of a parent, or ')'");
      if (!parent)
        return false;
      if (*parent == *id ||
          std::find(factor.scope.begin(), factor.scope.end(), *parent) != factor.scope.end())
        return context_.error(at, "'{}' stands twice in its probability block", excerpt(at.text));
      factor.scope.push_back(*parent);
      if (factor.scope.size() >= context_.limits.maxScope)
        return context_.error(at, "the block has more than {} variables, the limit",
                              context_.limits.maxScope);
      context_.acceptMark(',');
    }
  factor.scope.push_back(*id);
  return context_.takeMark(')', "'|' and parents, or ')'");
}

/// Up to the `;`.
bool BifProbabilityReader::readNumbers(const Rows &rows, uint64_t count, const std::string &what,
                                       std::vector<double> &numbers) {
  numbers.clear();
  while (context_.lexer.peek().kind == BifToken::Word) {
    const BifToken token = context_.lexer.take();
    const std::optional<double> number = parseDouble(token.text);
    if (!number || !std::isfinite(*number))
      return context_.error(token, "expected number {} of the {} of {}, found '{}'",
                            numbers.size() + 1, count, what, excerpt(token.text));
    if (*number < 0)
      return context_.error(token, "{} has the negative probability {}", what, *number);
    numbers.push_back(*number);
    context_.acceptMark(',');
  }
  const BifToken end = context_.lexer.peek();
  if (!context_.takeMark(';', "a number or ';'"))
    return false;
  if (numbers.size() != count)
    return context_.error(end, "{} has {} numbers, {} {}", what, numbers.size(), rows.notation,
                          fmt::format("needs {} there", count));
  return true;
}

/// `(yes, no) 0.1, 0.9;`
bool BifProbabilityReader::readRow(Rows &rows) {
  const BifToken open = context_.lexer.take();
  uint64_t row = 0;
  for (size_t i = 0; i < rows.parents.size(); ++i) {
    const Variable &parent = context_.model.variable(rows.parents[i]);
    const std::optional<BifToken> label = context_.takeWord("a state of each parent");
    if (!label)
      return false;
    const auto &states = context_.states[rows.parents[i].index()];
    const auto found = states.find(label->text);
    if (found == states.end()) {
      context_.diagnostics.report(
          {Severity::Error, context_.lexer.placeOf(*label),
           fmt::format("'{}' is no state of '{}', which has {}", excerpt(label->text),
                       excerpt(parent.name), parent.extent),
           suggestHint(label->text,
                       std::vector<std::string_view>(parent.labels.begin(), parent.labels.end()))});
      return false;
    }
    row = row * parent.extent + found->second;
    context_.acceptMark(',');
  }
  if (!context_.takeMark(')', fmt::format("')' behind {} states", rows.parents.size()).c_str()))
    return false;
  const std::string what = "row " + rows.rowText(context_.model, row);
  std::vector<double> numbers;
  if (!readNumbers(rows, rows.childExtent, what, numbers))
    return false;
  if (rows.isSet[row])
    return context_.error(open, "{} of {} is given twice", what, rows.notation);
  rows.put(row, numbers);
  return true;
}

bool BifProbabilityReader::readEntries(Rows &rows) {
  std::vector<double> numbers;
  while (!context_.lexer.peek().isMark('}')) {
    const BifToken token = context_.lexer.peek();
    if (token.isWord("property")) {
      if (!context_.skipProperty())
        return false;
    } else if (token.isMark('(')) {
      if (rows.hasTable)
        return context_.error(token, "{} has a table, rows beside it are too many", rows.notation);
      if (!readRow(rows))
        return false;
    } else if (token.isWord("default")) {
      context_.lexer.take();
      if (!rows.defaults.empty())
        return context_.error(token, "{} has a second default", rows.notation);
      if (!readNumbers(rows, rows.childExtent, "the default", rows.defaults))
        return false;
    } else if (token.isWord("table")) {
      context_.lexer.take();
      if (rows.setCount != 0)
        return context_.error(token, "{} has {} rows, a table beside them is too much",
                              rows.notation, rows.setCount);
      if (!readNumbers(rows, rows.values.size(), "the table", numbers))
        return false;
      rows.hasTable = true;
      for (uint64_t row = 0; row < rows.count; ++row) {
        rows.isSet[row] = true;
        for (uint64_t state = 0; state < rows.childExtent; ++state)
          rows.values[row * rows.childExtent + state] = numbers[state * rows.count + row];
      }
      rows.setCount = rows.count;
    } else {
      return context_.expected("table, default, '(' and the states of a row, or '}'", token);
    }
  }
  context_.lexer.take();
  return true;
}

bool BifProbabilityReader::finishRows(Rows &rows) {
  for (uint64_t row = 0; row < rows.count && rows.setCount < rows.count; ++row) {
    if (rows.isSet[row])
      continue;
    if (rows.defaults.empty())
      return context_.error(rows.head, "{} lacks {} of its {} rows, first {}", rows.notation,
                            rows.count - rows.setCount, rows.count,
                            rows.parents.empty() ? "its table" : rows.rowText(context_.model, row));
    rows.put(row, rows.defaults);
  }
  return true;
}

void BifProbabilityReader::checkSums(const Rows &rows, Factor &factor) {
  factor.conditional = true;
  for (auto fault = findRowFault(rows.values, rows.childExtent); fault;
       fault = findRowFault(rows.values, rows.childExtent, fault->row + 1)) {
    factor.conditional = false;
    if (std::abs(fault->sum - 1) <= kFarFromOne || badRows_++ != 0)
      continue;
    badPlace_ = rows.head;
    badRow_ = rows.parents.empty()
                  ? fmt::format("the table of {} to {}", rows.notation, fault->sum)
                  : fmt::format("row {} of {} to {}", rows.rowText(context_.model, fault->row),
                                rows.notation, fault->sum);
  }
}

bool BifProbabilityReader::read() {
  Factor factor;
  Rows rows;
  if (!readScope(factor, rows.head))
    return false;
  const Model &model = context_.model;
  rows.child = factor.scope.back();
  rows.parents.assign(factor.scope.begin(), factor.scope.end() - 1);
  rows.childExtent = model.variable(rows.child).extent;
  factor.name = factor.family = fmt::format("P({})", model.variable(rows.child).name);
  rows.notation = fmt::format("P({}{})", excerpt(model.variable(rows.child).name),
                              rows.parents.empty() ? "" : " | ...");
  const uint64_t elems = scopeElems(model, factor.scope);
  const uint64_t limit =
      std::min(context_.limits.maxTableElems, context_.limits.maxTotalElems - totalElems_);
  const BifToken open = context_.lexer.peek();
  if (!context_.takeMark('{', "'{'"))
    return false;
  // Each entry needs a number in the file, or a default.
  const uint64_t room = context_.lexer.bytesLeft() / 2 + 1 +
                        (kMaxDefaultElems - std::min(defaultElems_, kMaxDefaultElems));
  if (elems > limit || elems > room)
    return context_.error(
        open, "the table of {} needs {} entries, there is room for {}", rows.notation,
        elems == UINT64_MAX ? "more than 2^64" : fmt::format("{}", elems), std::min(limit, room));
  rows.count = elems / rows.childExtent;
  rows.values.resize(elems);
  rows.isSet.resize(rows.count);
  if (!readEntries(rows))
    return false;
  defaultElems_ += (rows.count - rows.setCount) * rows.childExtent;
  totalElems_ += elems;
  if (!finishRows(rows))
    return false;
  checkSums(rows, factor);
  factor.values = context_.pool.intern(std::move(rows.values));
  context_.model.factors.push_back(std::move(factor));
  children_.push_back(rows.head);
  return true;
}

void BifProbabilityReader::finish() {
  if (badRows_ != 0)
    context_.diagnostics.warning(context_.lexer.placeOf(badPlace_),
                                 "{} rows do not sum to 1 and are taken as they are: {} first",
                                 badRows_, badRow_);
}

} // namespace mpf

#include "dsl/syntax/ast_names.h"

#include "dsl/source/suggest.h"
#include "dsl/support/files/lower_case.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace mpf::ast {

namespace {

using std::string_view;

constexpr std::array<string_view, 17> kOperators = {
    "", "-", "!", "||", "&&", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "^"};
constexpr std::array<string_view, 21> kFunctions = {
    "exp", "log", "log2",  "log10", "sqrt",    "abs", "floor", "ceil", "round", "erf",  "lgamma",
    "min", "max", "state", "size",  "nonzero", "sum", "prod",  "any",  "all",   "count"};
constexpr size_t kFirstFoldOnly = 16; ///< of kFunctions
constexpr std::array<string_view, 8> kReduces = {"sum", "logsum", "max",    "min",
                                                 "any", "count",  "argmax", "argmin"};
constexpr std::array<string_view, 4> kCombines = {"", "*", "+", "and"};
constexpr auto kShortForms = static_cast<size_t>(std::ranges::count_if(
    kQueryTraits, [](const QueryTraits &traits) { return traits.isShortForm(); }));
constexpr auto kQueryKeywords = [] {
  std::array<string_view, kShortForms> keywords;
  size_t count = 0;
  for (const QueryTraits &traits : kQueryTraits)
    if (traits.isShortForm())
      keywords[count++] = traits.keyword;
  return keywords;
}();

/// Returns the enumerator at the position of `name` in `names`, moved by `offset` past enumerators
/// without a spelling.
template <class Enum, size_t N>
std::optional<Enum> named(const std::array<string_view, N> &names, string_view name,
                          size_t offset) {
  const auto at = std::ranges::find(names, name);
  if (at == names.end())
    return std::nullopt;
  return static_cast<Enum>(static_cast<size_t>(at - names.begin()) + offset);
}

} // namespace

string_view operatorSpelling(Operator op) { return kOperators.at(static_cast<size_t>(op)); }
string_view combineSpelling(CombineOp op) { return kCombines.at(static_cast<size_t>(op)); }
string_view reduceName(ReduceOp op) { return kReduces.at(static_cast<size_t>(op)); }

string_view functionName(Function function) {
  return function == Function::None ? "" : kFunctions.at(static_cast<size_t>(function) - 1);
}

string_view noisyName(NoisyKind kind) {
  switch (kind) {
  case NoisyKind::Or:
    return "noisyor";
  case NoisyKind::Max:
    return "noisymax";
  case NoisyKind::Min:
    break;
  }
  return "noisymin";
}

std::optional<Function> functionNamed(string_view name) {
  return named<Function>(kFunctions, name, 1);
}
bool isFold(Function function) {
  return function >= Function::Sum || function == Function::Min || function == Function::Max;
}
std::optional<ReduceOp> reduceNamed(string_view name) { return named<ReduceOp>(kReduces, name, 0); }

string_view queryKeywordMeant(string_view word) {
  constexpr std::pair<string_view, string_view> kMeanings[] = {{"map", "best"},
                                                               {"mpe", "best"},
                                                               {"mode", "best"},
                                                               {"mar", "marginals"},
                                                               {"marginal", "marginals"},
                                                               {"posterior", "marginals"},
                                                               {"posteriors", "marginals"},
                                                               {"beliefs", "marginals"},
                                                               {"pr", "evidence"},
                                                               {"z", "evidence"},
                                                               {"likelihood", "evidence"},
                                                               {"probability", "evidence"},
                                                               {"sample", "samples"}};
  const auto *const found =
      std::ranges::find(kMeanings, lowerCase(word), &std::pair<string_view, string_view>::first);
  return found == std::end(kMeanings) ? string_view() : found->second;
}

std::span<const string_view> functionNames() { return std::span(kFunctions).first(kFirstFoldOnly); }
ArgumentCount argumentCount(Function function) {
  constexpr size_t kAny = SIZE_MAX;
  switch (function) {
  case Function::None:
  case Function::Min:
  case Function::Max:
    return {1, kAny, "at least 1"};
  case Function::Size:
    return {1, 2, "1 or 2"};
  default:
    return {1, 1, "1"};
  }
}

std::string functionHint(string_view name) {
  constexpr std::pair<string_view, string_view> kMeanings[] = {
      {"range", "a range is written 0..3: 0, 1 and 2"},
      {"if", "a choice is written condition ? value : other"},
      {"ifelse", "a choice is written condition ? value : other"},
      {"ln", "'log' is the natural logarithm"},
      {"pow", "powers are written x^2"},
      {"file", "a file is the whole value of a factor or prob: factor f(x) = file(\"f.npy\")"},
      {"mod", "the remainder is written a % b"},
      {"trunc", "'floor' rounds down, 'round' to the nearest whole number"},
      {"gammaln", "'lgamma' is the logarithm of the gamma function"},
      {"loggamma", "'lgamma' is the logarithm of the gamma function"},
      {"product", "'prod' multiplies: prod(i in 0..3: x[i])"}};
  const auto *const found =
      std::ranges::find(kMeanings, name, &std::pair<string_view, string_view>::first);
  return found == std::end(kMeanings) ? suggestHint(name, functionNames())
                                      : std::string(found->second);
}

std::span<const string_view> reduceNames() { return kReduces; }
std::span<const string_view> queryKeywords() { return kQueryKeywords; }

} // namespace mpf::ast

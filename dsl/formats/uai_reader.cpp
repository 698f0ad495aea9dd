#include "dsl/formats/uai_reader.h"

#include "dsl/formats/token_scanner.h"
#include "dsl/model/build/check_network.h"
#include "dsl/model/model_limits.h"
#include "dsl/model/resolve/table_pool.h"
#include "dsl/model/row_sums.h"
#include "dsl/support/counts.h"
#include "dsl/support/files/file_input.h"

#include <cctype>

namespace mpf {

namespace {

/// Scopes in messages are cut after this many variables.
constexpr size_t kMaxScopeShown = 8;

class UaiParser {
public:
  UaiParser(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics,
            NetworkCheck check)
      : scan_(std::move(buffer), diagnostics), diagnostics_(diagnostics),
        errorsBefore_(diagnostics.errorCount()), check_(check) {}

  std::optional<Model> parse() {
    const bool complete = parseKind() && parseVariables() && parseScopes() && parseTables();
    if (complete && !failed())
      parseEnd();
    if (tooSmall_ != 0)
      diagnostics_.warning(firstTooSmall_, "{} entries are too small for a double, read as 0",
                           tooSmall_);
    if (failed())
      return std::nullopt;
    model_.name = modelNameFor(scan_.buffer()->name());
    model_.queries.push_back(shortQuery(model_, QueryKind::Evidence));
    if (bayes_ && check_ == NetworkCheck::Here)
      checkNetwork();
    return std::move(model_);
  }

private:
  void checkNetwork() const {
    const auto at = [this](SourceRange range) { return SourcePlace{scan_.buffer(), range}; };
    warnOfNetwork(model_, children_,
                  {[&](FactorId id) { return at(factorRanges_[id.index()]); },
                   [&](VarId id) { return at(variableRanges_[id.index()]); }},
                  diagnostics_);
  }
  bool failed() const { return diagnostics_.errorCount() != errorsBefore_; }

  bool parseKind();
  bool parseVariables();
  bool parseScopes();
  bool parseScope(size_t index);
  bool parseTables();
  bool parseTable(size_t index);
  void parseEnd();

  /// An unsigned number; on failure says what was expected and gives false: the rest of the file
  /// cannot be lined up any more.
  template <class What> bool takeUnsigned(uint64_t &value, What what);
  /// As takeUnsigned, for a count of things of which each needs a number in the file.
  template <class What> bool takeCount(uint64_t &value, uint64_t limit, What what);
  void nameFactor(size_t index);
  std::string describeScope(const Factor &factor) const;

  TokenScanner scan_;
  Diagnostics &diagnostics_;
  size_t errorsBefore_;
  const NetworkCheck check_;
  ModelLimits limits_;
  bool bayes_ = false;
  Model model_;
  TablePool pool_;
  uint64_t tooSmall_ = 0; ///< entries that rounded to zero, and where the first of them is
  SourcePlace firstTooSmall_;
  std::vector<double> entries_;      ///< the table being read
  std::vector<uint32_t> lastFactor_; ///< per variable, the last factor (+ 1) that listed it
  std::vector<bool> hasConditional_; ///< per variable, is the child of a factor already
  // Of BAYES files, for warnings:
  std::vector<VarId> children_;             ///< per factor
  std::vector<SourceRange> factorRanges_;   ///< the last number of the scope
  std::vector<SourceRange> variableRanges_; ///< the extent
};

template <class What> bool UaiParser::takeUnsigned(uint64_t &value, What what) {
  switch (scan_.scanUnsigned(value)) {
  case Scan::Ok:
    return true;
  case Scan::End:
    diagnostics_.error(scan_.endPlace(), "the file ends where {} is expected", what());
    return false;
  case Scan::TooLarge:
    diagnostics_.error(scan_.lastPlace(), "{} is {}, which does not fit 64 bits", what(),
                       scan_.lastText());
    return false;
  default:
    diagnostics_.error(scan_.lastPlace(), "expected {}, found '{}'", what(), scan_.lastText());
    return false;
  }
}

template <class What> bool UaiParser::takeCount(uint64_t &value, uint64_t limit, What what) {
  if (!takeUnsigned(value, what))
    return false;
  const uint64_t room = scan_.tokensPossible();
  if (value > room)
    diagnostics_.error(scan_.lastPlace(),
                       "{} is {}, the rest of the file has room for at most {} numbers", what(),
                       value, room);
  else if (value > limit)
    diagnostics_.error(scan_.lastPlace(), "{} is {}, the largest supported is {}", what(), value,
                       limit);
  return value <= room && value <= limit;
}

bool UaiParser::parseKind() {
  const std::string word(scan_.scanWord().substr(0, 16));
  bayes_ = word == "BAYES";
  if (bayes_ || word == "MARKOV")
    return true;
  if (word.empty()) {
    diagnostics_.error(scan_.endPlace(), "the file is empty, expected MARKOV or BAYES");
    return false;
  }
  std::string upper;
  for (const char c : word)
    upper += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  std::string hint;
  if (upper == "MARKOV" || upper == "BAYES")
    hint = fmt::format("did you mean '{}'?", upper);
  diagnostics_.report({Severity::Error, scan_.lastPlace(),
                       fmt::format("expected MARKOV or BAYES, found '{}'", scan_.lastText()),
                       std::move(hint)});
  return false;
}

bool UaiParser::parseVariables() {
  uint64_t count = 0;
  if (!takeCount(count, limits_.maxVariables, [] { return "the number of variables"; }))
    return false;
  model_.variables.resize(count);
  for (size_t i = 0; i < count; ++i) {
    uint64_t extent = 0;
    if (!takeUnsigned(extent, [&] { return fmt::format("the extent of variable {}", i); }))
      return false;
    if (extent == 0 || extent > limits_.maxExtent)
      diagnostics_.error(scan_.lastPlace(),
                         "the extent of variable {} is {}, it must be between 1 and {}", i, extent,
                         limits_.maxExtent);
    model_.variables[i].name = fmt::format("x{}", i);
    model_.variables[i].extent = static_cast<uint32_t>(std::min(extent, limits_.maxExtent));
    if (bayes_)
      variableRanges_.push_back(scan_.lastPlace().range);
  }
  lastFactor_.assign(count, 0);
  hasConditional_.assign(count, false);
  return true;
}

bool UaiParser::parseScopes() {
  uint64_t count = 0;
  if (!takeCount(count, limits_.maxFactors, [] { return "the number of factors"; }))
    return false;
  model_.factors.resize(count);
  for (size_t i = 0; i < count; ++i) {
    if (!parseScope(i))
      return false;
    nameFactor(i);
  }
  return true;
}

bool UaiParser::parseScope(size_t index) {
  uint64_t arity = 0;
  if (!takeCount(arity, limits_.maxScope,
                 [&] { return fmt::format("the arity of factor {}", index); }))
    return false;
  const size_t variables = model_.variables.size();
  if (arity > variables)
    diagnostics_.error(scan_.lastPlace(), "the arity of factor {} is {}, the file has {} variables",
                       index, arity, variables);
  Factor &factor = model_.factors[index];
  factor.scope.reserve(std::min<uint64_t>(arity, variables));
  for (size_t i = 0; i < arity; ++i) {
    uint64_t variable = 0;
    if (!takeUnsigned(variable, [&] {
          return fmt::format("variable {} of the {} in the scope of factor {}", i + 1, arity,
                             index);
        }))
      return false;
    if (variable >= variables)
      diagnostics_.error(scan_.lastPlace(),
                         "factor {} names variable {}, the file has {} variables, numbered from 0",
                         index, variable, variables);
    else if (std::exchange(lastFactor_[variable], static_cast<uint32_t>(index + 1)) != index + 1)
      factor.scope.push_back(VarId(variable));
    else if (arity <= variables) // else one of them is there twice for sure, and that is said
      diagnostics_.error(scan_.lastPlace(), "factor {} names variable {} twice in its scope", index,
                         variable);
  }
  return true;
}

void UaiParser::nameFactor(size_t index) {
  Factor &factor = model_.factors[index];
  factor.name = fmt::format("f{}", index);
  if (bayes_) {
    children_.emplace_back();
    factorRanges_.push_back(scan_.lastPlace().range);
  }
  if (bayes_ && !factor.scope.empty() && !hasConditional_[factor.scope.back().index()]) {
    hasConditional_[factor.scope.back().index()] = true;
    children_.back() = factor.scope.back();
    factor.conditional = true;
    factor.name = fmt::format("P({})", model_.variable(factor.scope.back()).name);
  }
  factor.family = factor.name;
}

std::string UaiParser::describeScope(const Factor &factor) const {
  std::string text = "(";
  for (size_t i = 0; i < factor.scope.size() && i < kMaxScopeShown; ++i) {
    const Variable &variable = model_.variable(factor.scope[i]);
    text += fmt::format("{}{}:{}", i ? ", " : "", variable.name, variable.extent);
  }
  return text + (factor.scope.size() > kMaxScopeShown ? ", ...)" : ")");
}

bool UaiParser::parseTables() {
  for (size_t i = 0; i < model_.factors.size(); ++i)
    if (!parseTable(i) || diagnostics_.full())
      return false;
  return true;
}

bool UaiParser::parseTable(size_t index) {
  Factor &factor = model_.factors[index];
  uint64_t count = 0;
  if (!takeCount(count, limits_.maxTableElems,
                 [&] { return fmt::format("the number of entries of factor {}", index); }))
    return false;
  const uint64_t needed = scopeElems(model_, factor.scope);
  // A scope with errors of its own has the wrong product: one message is enough.
  if (count != needed && !failed())
    diagnostics_.error(scan_.lastPlace(), "the table of factor {} has {} entries, its scope {} {}",
                       index, count, describeScope(factor),
                       needed == UINT64_MAX ? "needs more than 2^64"
                                            : fmt::format("needs {}", needed));
  entries_.resize(count);
  for (uint64_t i = 0; i < count; ++i) {
    const Scan status = scan_.scanDouble(entries_[i]);
    if (status == Scan::Ok) [[likely]]
      continue;
    if (status == Scan::End) {
      diagnostics_.error(scan_.endPlace(), "the file ends after {} of the {} entries of factor {}",
                         i, count, index);
      return false;
    }
    if (status == Scan::TooSmall) {
      if (tooSmall_++ == 0)
        firstTooSmall_ = scan_.lastPlace();
      continue;
    }
    if (status == Scan::Bad)
      diagnostics_.error(scan_.lastPlace(), "expected entry {} of the {} of factor {}, found '{}'",
                         i, count, index, scan_.lastText());
    else
      diagnostics_.error(scan_.lastPlace(), "entry {} of factor {} is {}, it must be finite{}", i,
                         index, scan_.lastText(), status == Scan::TooLarge ? " as a double" : "");
    if (diagnostics_.full())
      return false;
  }
  factor.values = pool_.intern(entries_);
  // Published networks have rows that sum to 1 only roughly: those are tables like any other.
  if (factor.conditional && count == needed && !failed())
    factor.conditional = !findRowFault(entries_, model_.variable(factor.scope.back()).extent);
  return true;
}

void UaiParser::parseEnd() {
  if (scan_.atEnd())
    return;
  scan_.scanWord();
  const SourcePlace place = scan_.lastPlace();
  const std::string first = scan_.lastText();
  diagnostics_.error(place, "expected the end of the file after {} tables, found '{}' and {} more",
                     model_.factors.size(), first, scan_.skipRest());
}

} // namespace

std::optional<Model> readUai(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics,
                             NetworkCheck check) {
  return UaiParser(std::move(buffer), diagnostics, check).parse();
}

std::string modelNameFor(const std::string &path) {
  std::string stem = withoutCompressionSuffix(path);
  stem = stem.substr(stem.rfind('/') + 1);
  stem = stem.substr(0, stem.rfind('.'));
  for (char &c : stem)
    if (!std::isalnum(static_cast<unsigned char>(c)) || static_cast<unsigned char>(c) >= 0x80)
      c = '_';
  if (stem.empty() || !std::isalpha(static_cast<unsigned char>(stem.front())))
    stem.insert(stem.begin(), 'm');
  return stem;
}

} // namespace mpf

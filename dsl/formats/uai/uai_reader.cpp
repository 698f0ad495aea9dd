#include "dsl/formats/uai/uai_reader.h"

#include "dsl/formats/network/network_builder.h"
#include "dsl/formats/numbers/token_scanner.h"
#include "dsl/formats/uai/uai_table_order.h"
#include "dsl/model/diagonal.h"
#include "dsl/support/numbers/table_number.h"
#include "dsl/support/system/watched_call.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <string_view>

namespace mpf {

namespace {

/// Scopes in messages are cut after this many variables.
constexpr size_t kMaxScopeShown = 8;
constexpr std::string_view kFarRowsHint =
    "MARKOV in place of BAYES says that tables are factors, as after evidence was multiplied in; "
    "mpfc check --strict refuses such rows";

class UaiParser {
public:
  UaiParser(const std::shared_ptr<const SourceBuffer> &buffer, Diagnostics &diagnostics)
      : scan_(buffer, diagnostics), network_(buffer, diagnostics), diagnostics_(diagnostics) {}

  std::optional<Model> parse(const ModelReadOptions &options) {
    order_ = options.uaiTables;
    network_.takeFarRows(kFarRowsHint);
    if (options.build.normalise)
      network_.normaliseRows();
    const bool complete = parseKind() && parseVariables() && parseScopes() && parseTables();
    if (complete && !network_.failed())
      parseEnd();
    if (!diagonals_.empty())
      diagnostics_.warning(firstDiagonal_,
                           "factors that name a variable twice: {}, factor {} first; their entries "
                           "where its axes agree are read, other programs may differ",
                           diagonals_.size(), diagonals_.front().factor);
    warnOfOrder();
    return network_.finish(QueryKind::Evidence, options.check);
  }

private:
  bool parseKind();
  bool parseVariables();
  bool parseScopes();
  bool parseScope(size_t index);
  bool parseTables();
  bool parseTable(size_t index);
  void parseEnd();
  bool restIsTables();
  void warnOfOrder();

  /// Takes an unsigned number, or reports what was expected and returns false.
  template <class What> bool takeUnsigned(uint64_t &value, What what);
  /// Takes a count of items, each of which needs a number in the file, and refuses larger counts.
  template <class What> bool takeCount(uint64_t &value, uint64_t limit, What what);
  void addAxis(size_t index, VarId variable, WrittenScope &scope);
  void addFactor(size_t index, WrittenScope &scope);
  std::string describeScope(const std::vector<VarId> &axes) const;

  TokenScanner scan_;
  NetworkBuilder network_;
  Diagnostics &diagnostics_;
  bool bayes_ = false;
  std::optional<UaiTableOrder> order_; ///< none: the format's
  WrittenScope scope_;                 ///< the scope that is being read
  uint64_t namedScopes_ = 0;           ///< scopes with a comment, as aGrUM writes names
  /// Tables with rows far from 1: those that sum to 1 with the child slowest, and others.
  uint64_t farWithFirstFastest_ = 0, farOtherwise_ = 0;
  SourcePlace firstFar_;
  SourcePlace firstName_; ///< the first scope with a comment whose table aGrUM orders differently
  /// Factors whose scopes name a variable twice, ascending, and the place of the first repetition.
  struct Diagonal {
    size_t factor = 0;
    WrittenScope scope;
  };
  std::vector<Diagonal> diagonals_;
  size_t nextDiagonal_ = 0; ///< the next one to get its table
  SourcePlace firstDiagonal_;
  std::vector<double> entries_;      ///< the table being read
  std::vector<FarValue> far_;        ///< entries of it that no double holds
  std::vector<uint32_t> lastFactor_; ///< per variable, the last factor (+ 1) that listed it
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
  if (order_ && word == "MARKOV")
    diagnostics_.warning(scan_.lastPlace(), "--uai-tables is for BAYES networks, this is MARKOV");
  if (bayes_ || word == "MARKOV")
    return true;
  if (word.empty()) {
    diagnostics_.error(scan_.endPlace(), "the file is empty, expected MARKOV or BAYES");
    return false;
  }
  std::string upper;
  for (const char c : word)
    upper += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  diagnostics_.report(
      {Severity::Error, scan_.lastPlace(),
       fmt::format("expected MARKOV or BAYES, found '{}'", scan_.lastText()),
       upper == "MARKOV" || upper == "BAYES" ? fmt::format("did you mean '{}'?", upper) : ""});
  return false;
}

bool UaiParser::parseVariables() {
  uint64_t count = 0;
  if (!takeCount(count, network_.limits().maxVariables, [] { return "the number of variables"; }))
    return false;
  network_.reserveVariables(count);
  for (size_t i = 0; i < count; ++i) {
    uint64_t extent = 0;
    if (!takeUnsigned(extent, [&] { return fmt::format("the extent of variable {}", i); }))
      return false;
    if (extent == 0 || extent > network_.limits().maxExtent)
      diagnostics_.error(scan_.lastPlace(),
                         "the extent of variable {} is {}, it must be between 1 and {}", i, extent,
                         network_.limits().maxExtent);
    network_.addNumberedVariable(
        static_cast<uint32_t>(std::min(extent, network_.limits().maxExtent)),
        scan_.lastPlace().range, i);
  }
  lastFactor_.assign(count, 0);
  return true;
}

bool UaiParser::parseScopes() {
  uint64_t count = 0;
  if (!takeCount(count, network_.limits().maxFactors, [] { return "the number of factors"; }))
    return false;
  network_.reserveFactors(count);
  for (size_t i = 0; i < count; ++i)
    if (!parseScope(i))
      return false;
  return true;
}

bool UaiParser::parseScope(size_t index) {
  uint64_t arity = 0;
  if (!takeCount(arity, network_.limits().maxScope,
                 [&] { return fmt::format("the arity of factor {}", index); }))
    return false;
  const size_t variables = network_.model().variables.size();
  scope_.axes.clear();
  scope_.variables.clear();
  scope_.variables.reserve(std::min<uint64_t>(arity, variables));
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
    else
      addAxis(index, VarId(variable), scope_);
  }
  if (bayes_ && !scan_.commentHere().empty()) {
    ++namedScopes_;
    if (!firstName_.buffer && ordersDiffer(network_.model(), scope_.axes))
      firstName_ = scan_.lastPlace();
  }
  addFactor(index, scope_);
  return true;
}

void UaiParser::addAxis(size_t index, VarId variable, WrittenScope &scope) {
  const auto stamp = static_cast<uint32_t>(index + 1);
  scope.axes.push_back(variable);
  if (std::exchange(lastFactor_[variable.index()], stamp) != stamp)
    scope.variables.push_back(variable);
  else if (!firstDiagonal_.buffer)
    firstDiagonal_ = scan_.lastPlace();
}

void UaiParser::addFactor(size_t index, WrittenScope &scope) {
  const bool isConditional = bayes_ && !scope.axes.empty() && !network_.hasTable(scope.axes.back());
  if (isConditional && !scope.repeats()) {
    network_.claimTable(scope.axes.back(), scan_.lastPlace().range);
    network_.addConditional(std::move(scope.variables));
    return;
  }
  if (isConditional)
    diagnostics_.error(scan_.lastPlace(),
                       "factor {} names a variable twice: a conditional table names each once",
                       index);
  if (scope.repeats())
    diagonals_.push_back({index, scope});
  network_.addFactor(fmt::format("f{}", index), std::move(scope.variables));
}

std::string UaiParser::describeScope(const std::vector<VarId> &axes) const {
  std::string text = "(";
  for (size_t i = 0; i < axes.size() && i < kMaxScopeShown; ++i) {
    const Variable &variable = network_.model().variable(axes[i]);
    text += fmt::format("{}{}:{}", i ? ", " : "", variable.name, variable.extent);
  }
  return text + (axes.size() > kMaxScopeShown ? ", ...)" : ")");
}

bool UaiParser::parseTables() {
  for (size_t i = 0; i < network_.model().factors.size(); ++i)
    if (!parseTable(i) || diagnostics_.full())
      return false;
  return true;
}

bool UaiParser::parseTable(size_t index) {
  const WrittenScope *const diagonal =
      nextDiagonal_ < diagonals_.size() && diagonals_[nextDiagonal_].factor == index
          ? &diagonals_[nextDiagonal_++].scope
          : nullptr;
  const std::vector<VarId> &axes =
      diagonal != nullptr ? diagonal->axes : network_.model().factors[index].scope;
  uint64_t count = 0;
  if (!takeCount(count, network_.limits().maxTableElems,
                 [&] { return fmt::format("the number of entries of factor {}", index); }))
    return false;
  SourcePlace place = scan_.lastPlace(), negative;
  const uint64_t needed = scopeElems(network_.model(), axes);
  // After an error in a scope `needed` may be wrong: one message is enough.
  if (count != needed && !network_.failed())
    diagnostics_.error(scan_.lastPlace(), "the table of factor {} has {} entries, its scope {} {}",
                       index, count, describeScope(axes),
                       needed == UINT64_MAX ? "needs more than 2^64"
                                            : fmt::format("needs {}", needed));
  entries_.resize(count);
  far_.clear();
  for (uint64_t i = 0; i < count; ++i) {
    if (i % kBetweenPolls == 0)
      throwIfCancelled();
    const Scan status = scan_.scanDouble(entries_[i]);
    if (entries_[i] < 0 && !negative.buffer) [[unlikely]]
      negative = scan_.lastPlace();
    if (status == Scan::Ok) [[likely]]
      continue;
    if (status == Scan::End) {
      diagnostics_.error(scan_.endPlace(), "the file ends after {} of the {} entries of factor {}",
                         i, count, index);
      return false;
    }
    if (status == Scan::Far) {
      far_.push_back({i, scan_.lastFar()});
      continue;
    }
    if (status == Scan::Bad)
      diagnostics_.error(scan_.lastPlace(), "expected entry {} of the {} of factor {}, found '{}'",
                         i, count, index, scan_.lastText());
    else
      diagnostics_.error(scan_.lastPlace(), "entry {} of factor {} is {}, {}", i, index,
                         scan_.lastText(),
                         status == Scan::NotFinite ? "it must be finite" : tableRangeText());
    if (diagnostics_.full())
      return false;
  }
  if (network_.failed())
    return true;
  std::vector<uint32_t> extents;
  if (diagonal != nullptr || (bayes_ && order_))
    for (const VarId axis : axes)
      extents.push_back(network_.model().variable(axis).extent);
  const auto inOrder = [&](std::vector<double> &numbers) {
    if (bayes_ && order_)
      toFormatOrder(*order_, extents, numbers);
    if (diagonal != nullptr)
      numbers = diagonalValues(numbers, extents, placesOfAxes(*diagonal));
  };
  std::vector<double> wide, exponents;
  if (!far_.empty()) {
    wide = widened(entries_, far_);
    exponents.assign(wide.begin() + static_cast<ptrdiff_t>(count), wide.end());
    wide.resize(count);
    inOrder(wide);
    inOrder(exponents);
    wide.insert(wide.end(), exponents.begin(), exponents.end());
  }
  inOrder(entries_);
  const uint64_t farBefore = network_.farRows();
  network_.setValues(FactorId(index), far_.empty() ? entries_ : wide, std::move(place),
                     std::move(negative));
  if (network_.farRows() != farBefore) {
    const uint64_t child = network_.model().variable(axes.back()).extent;
    ++(sumsWithChildSlowest(entries_, child) ? farWithFirstFastest_ : farOtherwise_);
    firstFar_ = firstFar_.buffer ? firstFar_ : scan_.lastPlace();
  }
  return true;
}

/// Whether the rest consists of tables, each a count and as many numbers.
bool UaiParser::restIsTables() {
  TokenScanner scan = scan_;
  while (!scan.atEnd()) {
    uint64_t count = 0;
    if (scan.scanUnsigned(count) != Scan::Ok || count == 0)
      return false;
    for (; count > 0 && !scan.scanWord().empty(); --count)
      ;
    if (count > 0)
      return false;
  }
  return true;
}

/// Warns of numbers behind the tables. merlin and others ignore them, and some published files have
/// them. Other text, or a further table, is an error.
void UaiParser::parseEnd() {
  if (scan_.atEnd())
    return;
  const bool isTables = restIsTables();
  bool areNumbers = true;
  uint64_t count = 0;
  SourcePlace place;
  std::string first;
  for (double number = 0; !scan_.atEnd(); ++count) {
    areNumbers &= scan_.scanDouble(number) != Scan::Bad;
    if (count == 0) {
      place = scan_.lastPlace();
      first = scan_.lastText();
    }
  }
  const size_t tables = network_.model().factors.size();
  if (areNumbers && !isTables)
    diagnostics_.warning(place, "numbers behind the last table are ignored: {}, first {}", count,
                         first);
  else
    diagnostics_.error(place,
                       "expected the end of the file after {} tables, found '{}' and {} more",
                       tables, first, count - 1);
}

/// Warns if tables look as if they were in the order of aGrUM or pgmpy.
void UaiParser::warnOfOrder() {
  if (!order_ && firstName_.buffer && namedScopes_ == network_.model().factors.size())
    diagnostics_.report(
        {Severity::Warning, firstName_,
         "names stand behind the scopes, as aGrUM writes them: aGrUM lists the first parent "
         "fastest, this file is read with the last parent fastest, as the format says",
         "--uai-tables agrum reads it as aGrUM means it, --uai-tables format as it is read now"});
  if (!order_ && farWithFirstFastest_ != 0 && farOtherwise_ == 0)
    diagnostics_.report({Severity::Warning, firstFar_,
                         "all rows that are far from 1 sum to 1 where the first variable is "
                         "fastest and the child slowest, as pgmpy writes tables",
                         "--uai-tables pgmpy reads them so"});
}

} // namespace

std::optional<Model> readUai(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics,
                             const ModelReadOptions &options) {
  return UaiParser(buffer, diagnostics).parse(options);
}

bool startsAsUai(std::string_view text) {
  skipHashComments(text);
  return text.starts_with("MARKOV") || text.starts_with("BAYES");
}

} // namespace mpf

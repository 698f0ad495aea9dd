#include "dsl/formats/costs/wcsp_reader.h"

#include "dsl/formats/costs/cost_functions.h"
#include "dsl/formats/network/model_name.h"
#include "dsl/formats/numbers/token_scanner.h"
#include "dsl/formats/uai/uai_reader.h"
#include "dsl/support/number_text.h"

#include <algorithm>

namespace mpf {

namespace {

/// Sums of whole costs below this are exact.
constexpr uint64_t kExactCost = uint64_t{1} << 53;

class WcspParser {
public:
  WcspParser(const std::shared_ptr<const SourceBuffer> &buffer, Diagnostics &diagnostics)
      : scan_(buffer, diagnostics), network_(buffer, diagnostics), functions_(network_) {}

  std::optional<Model> parse(const ModelReadOptions &options) {
    if (parseHead() && parseSizes())
      for (uint64_t i = 0; i < functionCount_ && parseFunction(i); ++i)
        ;
    if (!network_.failed() && !scan_.atEnd()) {
      scan_.scanWord();
      network_.error(scan_.lastPlace().range,
                     "expected the end of the file after {} functions, found '{}'", functionCount_,
                     scan_.lastText());
    }
    return functions_.finish(options.check);
  }

private:
  bool parseHead();
  bool parseSizes();
  bool parseFunction(uint64_t number);
  bool parseTuples(uint64_t count, uint64_t number);
  bool parseCost(double &cost, uint64_t number);
  bool refuseGlobal();

  /// Reads a whole number of at least `least`; `what` returns its meaning for a message.
  template <class What> bool take(int64_t &value, int64_t least, What what);
  /// Reads the number of things that each take a number of the text, at most `limit` of them.
  template <class What> bool takeCount(uint64_t &value, uint64_t limit, What what);

  TokenScanner scan_;
  NetworkBuilder network_;
  CostFunctions functions_;
  uint64_t variableCount_ = 0, functionCount_ = 0, bound_ = 0;
  int64_t largestDomain_ = 0;
  std::vector<size_t> shared_; ///< functions that others may share
};

template <class What> bool WcspParser::take(int64_t &value, int64_t least, What what) {
  uint64_t magnitude = 0;
  const Scan scanned = scan_.scanUnsigned(magnitude);
  if (scanned == Scan::End)
    return network_.error(scan_.endPlace().range, "the file ends where {} is expected", what());
  const bool isPlain = scanned == Scan::Ok && magnitude <= INT64_MAX;
  const std::optional<int64_t> number =
      isPlain ? std::optional(static_cast<int64_t>(magnitude)) : parseInteger(scan_.lastWord());
  value = number.value_or(0);
  if (number && value >= least)
    return true;
  return network_.error(scan_.lastPlace().range, "expected {}, found '{}'", what(),
                        scan_.lastText());
}

template <class What> bool WcspParser::takeCount(uint64_t &value, uint64_t limit, What what) {
  int64_t number = 0;
  if (!take(number, 0, what))
    return false;
  value = static_cast<uint64_t>(number);
  const uint64_t room = std::min(scan_.tokensPossible(), limit);
  return value <= room || network_.error(scan_.lastPlace().range, "{} is {}, there is room for {}",
                                         what(), value, room);
}

bool WcspParser::parseHead() {
  if (scan_.scanWord().empty())
    return network_.error(scan_.endPlace().range, "the file is empty, expected a name");
  network_.setName(modelNameFor(std::string(scan_.lastWord())));
  int64_t bound = 0;
  const ModelLimits &limits = network_.limits();
  if (!takeCount(variableCount_, limits.maxVariables, [] { return "the number of variables"; }) ||
      !take(largestDomain_, 0, [] { return "the largest domain"; }) ||
      !takeCount(functionCount_, limits.maxFactors, [] { return "the number of functions"; }) ||
      !take(bound, 0, [] { return "the upper bound"; }))
    return false;
  bound_ = static_cast<uint64_t>(bound);
  functions_.setBound(static_cast<double>(bound), false);
  return true;
}

bool WcspParser::parseSizes() {
  network_.reserveVariables(variableCount_);
  functions_.reserve(std::min(functionCount_, scan_.tokensPossible() / 3)); // `0 0 0` for each
  for (uint64_t i = 0; i < variableCount_; ++i) {
    int64_t size = 0;
    const auto what = [i] { return fmt::format("the size of variable {}", i); };
    if (!take(size, -INT64_MAX, what))
      return false;
    const uint64_t extent = static_cast<uint64_t>(size < 0 ? -size : size); // below 0: an interval
    if (extent == 0 || extent > static_cast<uint64_t>(largestDomain_) ||
        extent > network_.limits().maxExtent)
      return network_.error(
          scan_.lastPlace().range, "{} is {}, it must be between 1 and {}", what(), size,
          std::min(static_cast<uint64_t>(largestDomain_), network_.limits().maxExtent));
    network_.addNumberedVariable(static_cast<uint32_t>(extent), scan_.lastPlace().range, i);
  }
  return true;
}

bool WcspParser::refuseGlobal() {
  const std::string_view word = scan_.scanWord();
  return network_.error(word.empty() ? scan_.endPlace().range : scan_.lastPlace().range,
                        "'{}' is a global cost function; tables of costs are read, global "
                        "functions are not",
                        scan_.lastText());
}

bool WcspParser::parseFunction(uint64_t number) {
  int64_t arity = 0;
  if (!take(arity, -INT64_MAX, [&] { return fmt::format("the arity of function {}", number); }))
    return false;
  const SourceRange place = scan_.lastPlace().range;
  const uint64_t count = static_cast<uint64_t>(arity < 0 ? -arity : arity);
  if (count > std::min(variableCount_, network_.limits().maxScope))
    return network_.error(place, "the arity of function {} is {}, the file has {} variables",
                          number, count, variableCount_);
  std::vector<VarId> scope;
  for (uint64_t i = 0; i < count; ++i) {
    int64_t variable = 0;
    if (!take(variable, 0, [&] { return fmt::format("a variable of function {}", number); }))
      return false;
    if (static_cast<uint64_t>(variable) >= variableCount_)
      return network_.error(scan_.lastPlace().range,
                            "function {} names variable {}, the file has {}, numbered from 0",
                            number, variable, variableCount_);
    scope.emplace_back(static_cast<uint64_t>(variable));
  }
  int64_t others = 0, tuples = 0;
  if (!take(others, -1, [&] { return fmt::format("the default cost of function {}", number); }))
    return false;
  if (others == -1)
    return refuseGlobal();
  const double otherCost = static_cast<double>(others);
  const auto place2 = scan_.lastPlace().range;
  if (!take(tuples, -INT64_MAX,
            [&] { return fmt::format("the number of tuples of function {}", number); }))
    return false;
  std::string name = fmt::format("f{}", number);
  if (tuples < 0) {
    const auto shared = static_cast<uint64_t>(-tuples);
    if (shared > shared_.size())
      return network_.error(scan_.lastPlace().range,
                            "function {} shares the costs of the shared function {}, there are {} "
                            "before it",
                            number, shared, shared_.size());
    return functions_.share(std::move(name), std::move(scope), shared_[shared - 1], place);
  }
  if (others >= static_cast<int64_t>(kExactCost) && static_cast<uint64_t>(others) < bound_)
    return network_.error(place2, "the cost {} is not exact: costs are below 2^53", others);
  const uint64_t room = scan_.tokensPossible() / (count + 1);
  if (static_cast<uint64_t>(tuples) > room)
    return network_.error(scan_.lastPlace().range,
                          "function {} has {} tuples, the rest of the file has room for {}", number,
                          tuples, room);
  if (!functions_.begin(std::move(name), std::move(scope), place, otherCost,
                        static_cast<uint64_t>(tuples)) ||
      !parseTuples(static_cast<uint64_t>(tuples), number))
    return false;
  const size_t function = functions_.end();
  if (arity < 0)
    shared_.push_back(function);
  return true;
}

bool WcspParser::parseTuples(uint64_t count, uint64_t number) {
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t tuple = 0;
    SourceRange place;
    for (const VarId id : functions_.scope()) {
      const uint32_t extent = network_.model().variable(id).extent;
      int64_t state = 0;
      if (!take(state, 0, [&] { return fmt::format("tuple {} of function {}", i, number); }))
        return false;
      place = scan_.lastPlace().range;
      if (state >= static_cast<int64_t>(extent))
        return network_.error(place, "variable {} has no value {}: its size is {}", id, state,
                              extent);
      tuple = tuple * extent + static_cast<uint64_t>(state);
    }
    double cost = 0;
    if (!parseCost(cost, number) ||
        !functions_.set(tuple, cost, functions_.scope().empty() ? scan_.lastPlace().range : place))
      return false;
  }
  return true;
}

bool WcspParser::parseCost(double &cost, uint64_t number) {
  int64_t value = 0;
  if (!take(value, 0, [number] { return fmt::format("a cost of function {}", number); }))
    return false;
  cost = static_cast<double>(value);
  return static_cast<uint64_t>(value) < kExactCost || static_cast<uint64_t>(value) >= bound_ ||
         network_.error(scan_.lastPlace().range, "the cost {} is not exact: costs are below 2^53",
                        value);
}

} // namespace

std::optional<Model> readWcsp(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics,
                              const ModelReadOptions &options) {
  return WcspParser(buffer, diagnostics).parse(options);
}

bool startsAsWcsp(std::string_view text) {
  std::string_view line = text.substr(0, text.find('\n'));
  constexpr std::string_view kDigits = "0123456789", kBlanks = " \t\r";
  for (size_t word = 0;; ++word) {
    line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
    if (line.empty())
      return word == 5 && !startsAsUai(text);
    const std::string_view taken = line.substr(0, line.find_first_of(kBlanks));
    if ((taken.find_first_not_of(kDigits) == taken.npos) != (word != 0))
      return false;
    line.remove_prefix(taken.size());
  }
}

} // namespace mpf

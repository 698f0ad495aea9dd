#include "dsl/formats/order_file.h"

#include "dsl/formats/numbers/token_scanner.h"

#include <algorithm>
#include <utility>

namespace mpf {

namespace {

class OrderReader {
public:
  OrderReader(std::shared_ptr<const SourceBuffer> buffer, const Model &model,
              Diagnostics &diagnostics)
      : scan_(std::move(buffer), diagnostics), diagnostics_(diagnostics),
        variableCount_(model.variables.size()) {}

  std::optional<PartialOrder> read() {
    const size_t errorsBefore = diagnostics_.errorCount();
    skipComments();
    const std::string_view word = nextWord();
    PartialOrder chain;
    if (word == "p") {
      scan_.scanWord();
      error(
          scan_.lastPlace(),
          "this is a graph, which holds no order: give the tree decomposition (.td) that a solver "
          "finds for it");
    } else {
      chain = word == "s" ? readDecomposition() : readList();
    }
    if (diagnostics_.errorCount() != errorsBefore)
      return std::nullopt;
    return chain;
  }

private:
  template <class... Args>
  void error(const SourcePlace &place, fmt::format_string<Args...> format, Args &&...args) {
    failed_ = true;
    diagnostics_.error(place, format, std::forward<Args>(args)...);
  }

  /// A look ahead.
  std::string_view nextWord() const { return TokenScanner(scan_).scanWord(); }

  void skipComments() {
    while (nextWord() == "c") {
      scan_.scanWord();
      while (!scan_.lineEndsHere())
        scan_.scanWord();
    }
  }

  /// One of the `count` numbers from `least` on, of which there may be none; reports with `what`
  /// otherwise.
  std::optional<uint64_t> take(const char *what, uint64_t least, uint64_t count) {
    uint64_t value = 0;
    const Scan status = scan_.scanUnsigned(value);
    if (status == Scan::End)
      error(scan_.endPlace(), "the file ends before {}", what);
    else if (status != Scan::Ok)
      error(scan_.lastPlace(), "expected {}, found '{}'", what, scan_.lastText());
    else if (value < least || value - least >= count)
      error(scan_.lastPlace(), "{} {} does not exist: there are {}, numbered from {}", what, value,
            count, least);
    else
      return value;
    return std::nullopt;
  }

  /// Takes a count of the headline, at most `most`; `why` explains that limit in the message.
  std::optional<uint64_t> takeCount(const char *what, uint64_t most, const char *why) {
    const auto count = take(what, 0, UINT64_MAX);
    if (!count || *count <= most)
      return count;
    error(scan_.lastPlace(), "{} is {}, at most {} {}", what, *count, most, why);
    return std::nullopt;
  }

  void takeWord(std::string_view word) {
    if (!failed_ && scan_.scanWord() != word)
      error(scan_.lastPlace(), "expected '{}', found '{}'", word, scan_.lastText());
  }

  PartialOrder readList() {
    PartialOrder chain;
    std::vector<bool> seen(variableCount_, false);
    while (!failed_ && !scan_.atEnd()) {
      const auto variable = take("variable", 0, variableCount_);
      if (!variable)
        break;
      if (seen[*variable])
        error(scan_.lastPlace(), "variable {} is listed twice", *variable);
      seen[*variable] = true;
      chain.push_back(VarId{static_cast<size_t>(*variable)});
    }
    return chain;
  }

  PartialOrder readDecomposition() {
    takeWord("s");
    takeWord("td");
    const auto bags = failed_ ? std::nullopt
                              : takeCount("the number of bags", scan_.tokensPossible(),
                                          "fit the rest of the file");
    const auto width =
        bags ? takeCount("the size of the largest bag", variableCount_, "variables are there")
             : std::nullopt;
    const auto variables = width ? take("the number of variables", 0, UINT64_MAX) : std::nullopt;
    if (!variables)
      return {};
    if (*variables != variableCount_) {
      error(scan_.lastPlace(), "the decomposition has {} variables, the model {}", *variables,
            variableCount_);
      return {};
    }
    bags_.resize(*bags);
    links_.resize(*bags);
    while (!failed_) {
      skipComments();
      if (scan_.atEnd())
        break;
      nextWord() == "b" ? readBag() : readLink();
    }
    return failed_ ? PartialOrder() : walk();
  }

  void readBag() {
    scan_.scanWord();
    if (scan_.lineEndsHere())
      return error(scan_.lastPlace(), "expected the number of a bag");
    const auto bag = take("bag", 1, bags_.size());
    if (!bag)
      return;
    if (bags_[*bag - 1])
      return error(scan_.lastPlace(), "bag {} is given twice", *bag);
    bags_[*bag - 1].emplace();
    while (!failed_ && !scan_.lineEndsHere())
      if (const auto variable = take("variable", 1, variableCount_))
        bags_[*bag - 1]->push_back(static_cast<uint32_t>(*variable - 1));
  }

  void readLink() {
    const auto from = take("bag", 1, bags_.size());
    const auto to = from ? take("bag", 1, bags_.size()) : std::nullopt;
    if (!to)
      return;
    links_[*from - 1].push_back(static_cast<uint32_t>(*to - 1));
    links_[*to - 1].push_back(static_cast<uint32_t>(*from - 1));
  }

  /// Walks the bags depth first from bag 1. Variables of upper bags come first in the order, so
  /// they are eliminated last.
  PartialOrder walk() {
    constexpr uint32_t kNone = UINT32_MAX;
    PartialOrder chain;
    std::vector<char> placed(variableCount_, 0), visited(bags_.size(), 0);
    std::vector<std::pair<uint32_t, uint32_t>> stack; // bag, the bag it was reached from
    for (uint32_t root = 0; root < bags_.size() && !failed_; ++root) {
      if (!visited[root])
        stack.push_back({root, kNone});
      while (!stack.empty() && !failed_) {
        const auto [bag, above] = stack.back();
        stack.pop_back();
        if (!bags_[bag]) {
          error(scan_.endPlace(), "bag {} is not given", bag + 1);
          break;
        }
        if (std::exchange(visited[bag], char{1})) {
          error(scan_.endPlace(), "the links of bag {} close a circle", bag + 1);
          break;
        }
        for (const uint32_t variable : *bags_[bag])
          if (!std::exchange(placed[variable], char{1}))
            chain.push_back(VarId{size_t{variable}});
        bool back = above == kNone; // the link to `above` was skipped, once
        for (const uint32_t next : links_[bag])
          if (next != above || std::exchange(back, true))
            stack.push_back({next, bag});
      }
    }
    return chain;
  }

  TokenScanner scan_;
  Diagnostics &diagnostics_;
  const uint64_t variableCount_;
  bool failed_ = false;
  std::vector<std::optional<std::vector<uint32_t>>> bags_;
  std::vector<std::vector<uint32_t>> links_;
};

} // namespace

std::optional<PartialOrder> readOrderFile(std::shared_ptr<const SourceBuffer> buffer,
                                          const Model &model, Diagnostics &diagnostics) {
  return OrderReader(std::move(buffer), model, diagnostics).read();
}

} // namespace mpf

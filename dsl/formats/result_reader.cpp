#include "dsl/formats/numbers/token_scanner.h"
#include "dsl/formats/result_file.h"
#include "dsl/support/number_text.h"

namespace mpf {

namespace {

constexpr std::string_view kNextSolution = "-BEGIN-";

class ResultParser {
public:
  ResultParser(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics)
      : scan_(std::move(buffer), diagnostics), diagnostics_(diagnostics) {}

  std::optional<ResultFile> parse() {
    if (!parseTask() || !splitLastSolution())
      return std::nullopt;
    // The 2010 dialect has the number of samples first; only the length shows the dialect.
    if (lengthFits(0) || (words_.front().text == "1" && lengthFits(1)))
      return parseSolution() ? std::optional(std::move(result_)) : std::nullopt;
    diagnostics_.error(placeOf(0), "this is no complete solution: {} numbers do not make one",
                       words_.size());
    return std::nullopt;
  }

private:
  struct Word {
    std::string_view text;
    SourcePlace place;
  };

  bool parseTask() {
    const std::string_view word = scan_.scanWord();
    if (word == "PR")
      result_.task = UaiTask::Pr;
    else if (word == "MAR")
      result_.task = UaiTask::Mar;
    else if (word == "MPE" || word == "MAP")
      result_.task = UaiTask::Mpe;
    else if (word == "MMAP")
      result_.task = UaiTask::Mmap;
    else if (word.empty())
      return error(scan_.endPlace(), "the file is empty, expected PR, MAR, MPE or MMAP");
    else
      return error(scan_.lastPlace(),
                   "expected PR, MAR, MPE or MMAP, found '" + scan_.lastText() + "'");
    return true;
  }

  /// Keeps the words behind the last "-BEGIN-".
  bool splitLastSolution() {
    for (std::string_view word; !(word = scan_.scanWord()).empty();) {
      if (word == kNextSolution)
        words_.clear();
      else
        words_.push_back({word, scan_.lastPlace()});
    }
    return !words_.empty() || error(scan_.endPlace(), "the file ends before a solution");
  }

  bool error(const SourcePlace &place, const std::string &message) {
    diagnostics_.error(place, "{}", message);
    return false;
  }
  SourcePlace placeOf(size_t at) const { return words_[at].place; }

  /// True, with begin_ set, when a solution that starts at word `begin` ends with the last word.
  bool lengthFits(size_t begin) {
    begin_ = begin;
    if (begin >= words_.size())
      return false;
    const uint64_t left = words_.size() - begin;
    if (result_.task == UaiTask::Pr)
      return left == 1;
    const auto count = parseUnsigned(words_[begin].text);
    if (!count)
      return false;
    if (result_.task == UaiTask::Mpe)
      return *count == left - 1;
    if (result_.task == UaiTask::Mmap)
      return left % 2 == 1 && *count == (left - 1) / 2;
    size_t at = begin + 1;
    for (uint64_t i = 0; i < *count; ++i) {
      const auto extent = at < words_.size() ? parseUnsigned(words_[at].text) : std::nullopt;
      if (!extent || *extent > words_.size() - at - 1)
        return false;
      at += 1 + *extent;
    }
    return at == words_.size();
  }

  bool parseSolution() {
    switch (result_.task) {
    case UaiTask::Pr:
      return takeNumber(begin_, /*infinite=*/true, result_.log10Value);
    case UaiTask::Mar:
      for (size_t at = begin_ + 1; at < words_.size();) {
        std::vector<double> marginal(*parseUnsigned(words_[at++].text));
        for (double &value : marginal)
          if (!takeNumber(at++, /*infinite=*/false, value))
            return false;
        result_.marginals.push_back(std::move(marginal));
      }
      return true;
    case UaiTask::Mpe:
      result_.solutions.assign(1, std::vector<uint32_t>(words_.size() - begin_ - 1));
      for (size_t i = 0; i < result_.solutions.back().size(); ++i)
        if (!takeIndex(begin_ + 1 + i, result_.solutions.back()[i]))
          return false;
      return true;
    case UaiTask::Mmap:
      break;
    }
    for (size_t at = begin_ + 1; at + 1 < words_.size(); at += 2) {
      uint32_t variable = 0, state = 0;
      if (!takeIndex(at, variable) || !takeIndex(at + 1, state))
        return false;
      result_.assignment.push_back({VarId(variable), state});
    }
    return true;
  }

  bool takeNumber(size_t at, bool infinite, double &value) {
    const auto number = parseDouble(words_[at].text);
    if (!number || std::isnan(*number) || (std::isinf(*number) && !infinite))
      return wrongWord(at, "a number");
    value = *number;
    return true;
  }
  bool takeIndex(size_t at, uint32_t &index) {
    const auto number = parseUnsigned(words_[at].text);
    if (!number || *number >= UINT32_MAX)
      return wrongWord(at, "a variable or state number");
    index = static_cast<uint32_t>(*number);
    return true;
  }
  bool wrongWord(size_t at, const char *what) {
    return error(placeOf(at),
                 fmt::format("expected {}, found '{}'", what, words_[at].text.substr(0, 40)));
  }

  TokenScanner scan_;
  Diagnostics &diagnostics_;
  std::vector<Word> words_; ///< words of the last solution
  size_t begin_ = 0;        ///< start of its numbers, behind a number of samples
  ResultFile result_;
};

} // namespace

std::optional<ResultFile> readResult(std::shared_ptr<const SourceBuffer> buffer,
                                     Diagnostics &diagnostics) {
  return ResultParser(std::move(buffer), diagnostics).parse();
}

} // namespace mpf

#include "dsl/formats/cnf/cnf_reader.h"

#include "dsl/formats/cnf/clause_factors.h"
#include "dsl/formats/cnf/literal_weights.h"
#include "dsl/formats/cnf/projection.h"
#include "dsl/formats/network/line_words.h"
#include "dsl/support/number_text.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace mpf {

namespace {

/// A text may have this many variables beyond those that it has room to name.
constexpr uint64_t kUnnamedVariables = 65536;
/// Counts of fewer variables fit u64, if no literal has a weight.
constexpr uint64_t kU64Variables = 64;

/// A task of the competitions, `c t`.
struct Task {
  std::string_view word;
  bool weighs = false, projects = false;
};
constexpr std::array<Task, 5> kCnfTasks = {
    {{"mc"}, {"wmc", true}, {"pmc", false, true}, {"pwmc", true, true}, {"wpmc", true, true}}};

/// The heads of texts. In a plain one `w` is a line of Cachet.
enum class Head { Plain, Weighted, Projected };

class CnfParser {
public:
  CnfParser(const std::shared_ptr<const SourceBuffer> &buffer, Diagnostics &diagnostics)
      : words_(buffer), network_(buffer, diagnostics), weights_(network_), projection_(network_),
        room_((buffer->text().size() + 1) / 2 + kUnnamedVariables) {}

  std::optional<Model> parse(const ModelReadOptions &options) {
    while (!isEnded_ && words_.nextLine() && !network_.diagnostics().full())
      parseLine();
    if (!clauses_ && !network_.failed())
      network_.error(words_.end(), "the file ends where the line `p cnf VARIABLES CLAUSES` is "
                                   "expected");
    if (clauses_)
      parseEnd();
    return network_.failed() ? std::nullopt : finish(options);
  }

private:
  void parseLine();
  void parseComment();
  void parseHead();
  bool parseCount(const char *what, uint64_t limit, PlacedText &word, uint64_t &value);
  void parseTask();
  void parseShown(const char *form);
  void parseWeight(const char *form);
  void parsePlainWeight();
  void parseAllWeights();
  void parseLiterals();
  void parseTail();
  void parseEnd();
  void applyTask();
  std::optional<Literal> takeLiteral(const PlacedText &word, const char *what);
  void requireLineEnd(const char *form);
  std::optional<Model> finish(const ModelReadOptions &options);

  LineWords words_;
  NetworkBuilder network_;
  LiteralWeights weights_;
  Projection projection_;
  const uint64_t room_;                  ///< the most variables that the text may have
  std::optional<ClauseFactors> clauses_; ///< after the head
  Head head_ = Head::Plain;
  SourceRange headPlace_;
  uint64_t variables_ = 0, clauseCount_ = 0, shownCount_ = 0;
  PlacedText clausesWord_, shownWord_; ///< the numbers of the head
  std::vector<Literal> literals_;      ///< of the clause that is being read
  SourceRange clausePlace_;            ///< its first literal
  const Task *task_ = nullptr;
  bool isEnded_ = false;
};

std::optional<Literal> CnfParser::takeLiteral(const PlacedText &word, const char *what) {
  const std::optional<int64_t> value = parseInteger(word.text);
  const auto limit = static_cast<int64_t>(network_.limits().maxVariables);
  if (value && *value != 0 && *value >= -limit && *value <= limit)
    return static_cast<Literal>(*value);
  network_.error(word.range, "expected {}, found {}", what,
                 word.text.empty() ? "the end of the line" : "'" + excerpt(word.text) + "'");
  return std::nullopt;
}

void CnfParser::requireLineEnd(const char *form) {
  if (const PlacedText word = words_.next(); !word.text.empty())
    network_.error(word.range, "expected the end of the line, found '{}': its form is `{}`",
                   excerpt(word.text), form);
}

void CnfParser::parseLine() {
  const PlacedText first = words_.next();
  if (first.text == "c")
    parseComment();
  else if (first.text == "p")
    parseHead();
  else if (first.text == "w")
    parsePlainWeight();
  else if (first.text == "vp")
    parseShown("vp VARIABLE .. 0");
  else if (first.text == "%")
    parseTail();
  else if (first.text.front() == 'c') // a comment without a blank
    return;
  else if (clauses_)
    parseLiterals();
  else if (!network_.failed())
    network_.error(first.range, "expected `p cnf VARIABLES CLAUSES` in front of this");
}

/// A comment may be a line for counters. Other comments that begin so are left alone.
void CnfParser::parseComment() {
  const PlacedText kind = words_.next();
  if (kind.text == "t")
    parseTask();
  else if (kind.text == "ind")
    parseShown("c ind VARIABLE .. 0");
  else if (kind.text == "weights")
    parseAllWeights();
  else if (kind.text == "p") {
    const PlacedText what = words_.next();
    if (what.text == "show")
      parseShown("c p show VARIABLE .. 0");
    else if (what.text == "weight")
      parseWeight("c p weight LITERAL WEIGHT 0");
  }
}

void CnfParser::parseTask() {
  const PlacedText word = words_.next();
  if (!words_.next().text.empty())
    return; // a sentence
  const auto found = std::ranges::find(kCnfTasks, word.text, &Task::word);
  if (found == kCnfTasks.end())
    network_.error(word.range, "unknown task '{}'; known are mc, wmc, pmc, pwmc",
                   excerpt(word.text));
  else if (task_ != nullptr && task_ != &*found)
    network_.error(word.range, "the task is {} here, and {} before", found->word, task_->word);
  else
    task_ = &*found;
}

bool CnfParser::parseCount(const char *what, uint64_t limit, PlacedText &word, uint64_t &value) {
  word = words_.next();
  const std::optional<int64_t> number = parseInteger(word.text);
  if (!number || *number < 0)
    return network_.error(word.range, "expected {}, found {}", what,
                          word.text.empty() ? "the end of the line"
                                            : "'" + excerpt(word.text) + "'");
  value = static_cast<uint64_t>(*number);
  return value <= limit ||
         network_.error(word.range, "{} is {}, the largest supported is {}", what, value, limit);
}

void CnfParser::parseHead() {
  const PlacedText kind = words_.next();
  headPlace_ = kind.range;
  if (clauses_) {
    network_.error(kind.range, "a second line `p`");
    return;
  }
  if (kind.text != "cnf" && kind.text != "wcnf" && kind.text != "pcnf") {
    network_.error(kind.range, "expected cnf, found '{}'", excerpt(kind.text));
    isEnded_ = true;
    return;
  }
  head_ = kind.text == "cnf" ? Head::Plain : kind.text == "wcnf" ? Head::Weighted : Head::Projected;
  PlacedText word;
  const auto &limits = network_.limits();
  if (!parseCount("the number of variables", limits.maxVariables, word, variables_) ||
      !parseCount("the number of clauses", UINT32_MAX, clausesWord_, clauseCount_) ||
      (head_ == Head::Projected &&
       !parseCount("the number of shown variables", variables_, shownWord_, shownCount_))) {
    isEnded_ = true;
    return;
  }
  const PlacedText more = words_.next();
  if (head_ == Head::Weighted && !more.text.empty())
    network_.error(more.range, "a `p wcnf` with a top weight is of MaxSAT, whose clauses have "
                               "weights; counters weigh literals");
  else if (!more.text.empty())
    network_.error(more.range, "expected the end of the line, found '{}'", excerpt(more.text));
  else if (variables_ > room_)
    network_.error(word.range,
                   "the number of variables is {}, the text has room to name {} of them",
                   variables_, room_ - kUnnamedVariables);
  isEnded_ = network_.failed();
  if (isEnded_)
    return;
  network_.reserveVariables(variables_);
  network_.reserveFactors(std::min(clauseCount_, room_ - kUnnamedVariables)); // `0 ` for each
  for (uint64_t i = 1; i <= variables_; ++i)
    network_.addNumberedVariable(2, word.range, i);
  clauses_.emplace(network_);
}

void CnfParser::parseShown(const char *form) {
  PlacedText word = words_.next();
  projection_.begin(word.range);
  for (; word.text != "0"; word = words_.next()) {
    const std::optional<Literal> variable = takeLiteral(word, "a variable or 0");
    if (!variable)
      return;
    if (*variable < 0) {
      network_.error(word.range, "{} is a negation: this line has variables", *variable);
      return;
    }
    projection_.show(*variable, word.range);
  }
  requireLineEnd(form);
}

void CnfParser::parseWeight(const char *form) {
  const std::optional<Literal> literal = takeLiteral(words_.next(), "a literal");
  if (!literal)
    return;
  weights_.set(*literal, words_.next());
  const PlacedText end = words_.next();
  if (end.text == "0")
    return requireLineEnd(form);
  network_.error(end.range, "expected the 0 that ends a weight: its form is `{}`", form);
}

/// `w VAR W` of Cachet in a plain text, `w LITERAL W` in a weighted one; a 0 may end it.
void CnfParser::parsePlainWeight() {
  const PlacedText word = words_.next();
  const std::optional<Literal> literal = takeLiteral(word, "a literal");
  if (!literal)
    return;
  if (!clauses_ && !network_.failed()) {
    network_.error(word.range, "a line `w` stands behind the line `p`, which says what it means");
    return;
  }
  if (head_ != Head::Weighted && *literal < 0) {
    network_.error(word.range,
                   "{} is a negation: in a `p cnf` file `w` gives the weight of a "
                   "variable, in `p wcnf` that of a literal",
                   *literal);
    return;
  }
  if (head_ == Head::Weighted)
    weights_.set(*literal, words_.next());
  else
    weights_.setBoth(*literal, words_.next());
  if (const PlacedText end = words_.next(); !end.text.empty() && end.text != "0")
    network_.error(end.range, "expected the end of the line, found '{}'", excerpt(end.text));
  requireLineEnd("w LITERAL WEIGHT");
}

/// `c weights` of MiniC2D: for each variable its weight and that of its negation.
void CnfParser::parseAllWeights() {
  PlacedText word = words_.next();
  if (word.text.find_first_of("0123456789.") > 1) // a number may have a sign
    return;                                       // a sentence
  uint64_t count = 0;
  for (; !word.text.empty(); word = words_.next(), ++count) {
    const auto variable = static_cast<Literal>(std::min<uint64_t>(count / 2 + 1, INT32_MAX));
    if (!weights_.set(count % 2 == 0 ? variable : -variable, word))
      return;
  }
  if (count % 2 != 0)
    network_.error(word.range, "{} weights: the line has two for each variable", count);
}

void CnfParser::parseLiterals() {
  words_.restartLine();
  for (PlacedText word = words_.next(); !word.text.empty(); word = words_.next()) {
    if (literals_.empty())
      clausePlace_ = word.range;
    if (word.text == "0") {
      clauses_->add(literals_, clausePlace_);
      literals_.clear();
      continue;
    }
    const std::optional<Literal> literal = takeLiteral(word, "a literal or 0");
    if (!literal) {
      isEnded_ = true;
      return;
    }
    if (static_cast<uint64_t>(std::abs(*literal)) > variables_)
      network_.error(word.range, "{} is no literal: the text has the variables 1 to {}", *literal,
                     variables_);
    else
      literals_.push_back(*literal);
  }
}

/// `%` and a line `0` end the files of SATLIB.
void CnfParser::parseTail() {
  isEnded_ = true;
  while (words_.nextLine())
    if (const PlacedText word = words_.next(); word.text != "0" && word.text != "%") {
      network_.error(word.range, "expected the end of the file behind `%`, found '{}'",
                     excerpt(word.text));
      return;
    }
}

void CnfParser::parseEnd() {
  if (network_.failed())
    return;
  if (!literals_.empty())
    network_.error(words_.end(), "the file ends in a clause of {} literals: 0 ends each clause",
                   literals_.size());
  else if (clauses_->count() != clauseCount_)
    network_.error(clausesWord_.range, "the head says {} clauses, the text has {}", clauseCount_,
                   clauses_->count());
  else if (head_ == Head::Weighted && weights_.empty())
    network_.error(headPlace_, "a `p wcnf` without weights of literals may be of MaxSAT, whose "
                               "clauses have weights: write `p cnf` if this is a count");
  else if (head_ == Head::Projected && projection_.size() != shownCount_)
    network_.error(shownWord_.range, "the head says {} shown variables, the text has {}",
                   shownCount_, projection_.size());
  applyTask();
  projection_.resolve(variables_);
  weights_.addFactors(*clauses_, variables_, projection_.isShown());
}

/// Leaves out what the task does not use.
void CnfParser::applyTask() {
  if (task_ == nullptr)
    return;
  if (!task_->weighs && !weights_.empty()) {
    network_.diagnostics().warning(network_.placeOf(weights_.place()),
                                   "the task {} counts without weights: they are left out",
                                   task_->word);
    weights_.clear();
  }
  if (!task_->projects && projection_.place()) {
    network_.diagnostics().warning(network_.placeOf(*projection_.place()),
                                   "the task {} counts all variables: the projection is left out",
                                   task_->word);
    projection_.clear();
  }
  if (task_->projects && !projection_.place())
    network_.diagnostics().warning(network_.placeOf(headPlace_),
                                   "the task {} without `c p show` counts all variables",
                                   task_->word);
}

std::optional<Model> CnfParser::finish(const ModelReadOptions &options) {
  std::optional<Query> count;
  if (projection_.place())
    count = projection_.query(*clauses_);
  std::optional<Model> model = network_.finish(QueryKind::Evidence, options.check);
  if (!model)
    return model;
  Query &query = model->queries.front();
  if (count)
    query = std::move(*count);
  if (weights_.areWhole())
    query.type =
        weights_.empty() && variables_ < kU64Variables ? ElementType::U64 : ElementType::U128;
  return model;
}

} // namespace

std::optional<Model> readCnf(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics,
                             const ModelReadOptions &options) {
  return CnfParser(buffer, diagnostics).parse(options);
}

bool startsAsCnf(std::string_view text) {
  const auto isBlank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
  while (text.starts_with('c') && (text.size() == 1 || isBlank(text[1]))) {
    text.remove_prefix(std::min(text.find('\n'), text.size()));
    while (!text.empty() && isBlank(text.front()))
      text.remove_prefix(1);
  }
  if (!text.starts_with('p') || text.size() < 2 || !isBlank(text[1]))
    return false;
  text.remove_prefix(std::min(text.find_first_not_of(" \t", 1), text.size()));
  return std::ranges::any_of(
      std::array<std::string_view, 3>{"cnf", "wcnf", "pcnf"}, [text](std::string_view head) {
        return text.starts_with(head) && (text.size() == head.size() || text[head.size()] == ' ' ||
                                          text[head.size()] == '\t');
      });
}

} // namespace mpf

#include "dsl/formats/bif_probability.h"

#include "dsl/formats/conditional_table.h"
#include "dsl/syntax/spelling.h"

namespace mpf {

namespace {

class BifProbabilityReader {
public:
  explicit BifProbabilityReader(BifContext &context) : context_(context), table_(context.network) {}

  bool read();

private:
  bool readScope();
  bool readEntries();
  bool readRow();
  bool readDefault();
  bool readTable();
  bool readNumbers(uint64_t count, const std::string &what);

  BifContext &context_;
  ConditionalTable table_;
  std::vector<double> numbers_;    ///< of the last readNumbers
  std::vector<PlacedText> labels_; ///< of the last readRow
  bool isWhole_ = false;           ///< a `table` was there
};

bool BifProbabilityReader::readScope() {
  if (!context_.takeMark('(', "'(' and the name of a variable"))
    return false;
  const std::optional<PlacedText> child = context_.takeWord("the name of a variable");
  if (!child || !table_.setChild(*child))
    return false;
  // Version 0.15 has no `|`: the names follow each other, the child first.
  if (context_.acceptMark('|') || context_.lexer.peek().kind == BifToken::Word)
    while (!context_.lexer.peek().isMark(')')) {
      const std::optional<PlacedText> parent = context_.takeWord("the name of a parent, or ')'");
      if (!parent || !table_.addParent(*parent))
        return false;
      context_.acceptMark(',');
    }
  return context_.takeMark(')', "'|' and parents, or ')'");
}

/// Up to the `;`.
bool BifProbabilityReader::readNumbers(uint64_t count, const std::string &what) {
  numbers_.clear();
  while (context_.lexer.peek().kind == BifToken::Word) {
    if (!table_.takeNumber(BifContext::placed(context_.lexer.take()), what, count, numbers_))
      return false;
    context_.acceptMark(',');
  }
  const BifToken end = context_.lexer.peek();
  return context_.takeMark(';', "a number or ';'") &&
         table_.checkCount(end.range, what, count, numbers_);
}

/// `(yes, no) 0.1, 0.9;`
bool BifProbabilityReader::readRow() {
  const BifToken open = context_.lexer.take();
  if (isWhole_)
    return context_.error(open, "{} has a table, rows beside it are too many", table_.text());
  const std::vector<VarId> &parents = table_.parents();
  context_.takeNames(parents.size(), labels_);
  if (labels_.size() < parents.size())
    return context_.expected("a state of each parent", context_.lexer.peek());
  if (labels_.size() > parents.size())
    return context_.network.error(labels_[parents.size()].range,
                                  "expected ')' behind {} states, found '{}'", parents.size(),
                                  excerpt(labels_[parents.size()].text));
  uint64_t row = 0;
  for (size_t i = 0; i < parents.size(); ++i) {
    const auto state = context_.network.findState(parents[i], labels_[i]);
    if (!state)
      return false;
    row = row * context_.network.model().variable(parents[i]).extent + *state;
  }
  return context_.takeMark(')', "')' behind the states") &&
         readNumbers(table_.childExtent(), table_.rowName(row)) &&
         table_.setRow(open.range, row, numbers_);
}

bool BifProbabilityReader::readDefault() {
  const BifToken keyword = context_.lexer.take();
  if (table_.hasDefault())
    return context_.error(keyword, "{} has a second default", table_.text());
  if (!readNumbers(table_.childExtent(), "the default"))
    return false;
  table_.setDefault(numbers_);
  return true;
}

bool BifProbabilityReader::readTable() {
  const BifToken keyword = context_.lexer.take();
  if (table_.setRows() != 0)
    return context_.error(keyword, "{} has {} rows, a table beside them is too much", table_.text(),
                          table_.setRows());
  if (!readNumbers(table_.rows() * table_.childExtent(), "the table"))
    return false;
  table_.setTableChildSlowest(numbers_);
  isWhole_ = true;
  return true;
}

bool BifProbabilityReader::readEntries() {
  while (!context_.lexer.peek().isMark('}')) {
    const BifToken token = context_.lexer.peek();
    if (!(token.isWord("property")  ? context_.skipProperty()
          : token.isMark('(')       ? readRow()
          : token.isWord("default") ? readDefault()
          : token.isWord("table")
              ? readTable()
              : context_.expected("table, default, '(' and the states of a row, or '}'", token)))
      return false;
  }
  context_.lexer.take();
  return true;
}

bool BifProbabilityReader::read() {
  if (!readScope())
    return false;
  const BifToken open = context_.lexer.peek();
  // Each number is followed by something that is none.
  return context_.takeMark('{', "'{'") &&
         table_.allocate(open.range, context_.lexer.bytesLeft() / 2 + 1) && readEntries() &&
         table_.finish();
}

} // namespace

bool readBifProbability(BifContext &context) { return BifProbabilityReader(context).read(); }

} // namespace mpf

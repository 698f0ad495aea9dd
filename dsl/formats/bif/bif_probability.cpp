#include "dsl/formats/bif/bif_probability.h"

#include "dsl/formats/bif/noisy_rows.h"
#include "dsl/formats/network/conditional_table.h"
#include "dsl/support/counts.h"
#include "dsl/support/files/lower_case.h"
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
  bool readProperty();
  bool readStates(std::vector<uint32_t> &states);
  bool readNoisyRows();
  bool finishNoisy(SourceRange open);
  bool readDefault();
  bool readTable();
  bool readNumbers(uint64_t count, NumbersOf of);

  BifContext &context_;
  ConditionalTable table_;
  ReadNumbers numbers_;            ///< of the last readNumbers
  std::vector<PlacedText> labels_; ///< labels that the last readStates found
  std::vector<ListedRow> listed_;  ///< rows of a noisy-max
  bool isNoisy_ = false;           ///< the block has `property function max`
  bool isWhole_ = false;           ///< the block has a `table`
};

bool BifProbabilityReader::readScope() {
  if (!context_.takeMark('(', "'(' and the name of a variable"))
    return false;
  const std::optional<PlacedText> child = context_.takeWord("the name of a variable");
  if (!child || !table_.setChild(*child))
    return false;
  // Version 0.15 has no `|`: the names follow each other, the child first.
  if (context_.acceptMark('|') || context_.lexer.peek().kind == BlockToken::Word)
    while (!context_.lexer.peek().isMark(')')) {
      const std::optional<PlacedText> parent = context_.takeWord("the name of a parent, or ')'");
      if (!parent || !table_.addParent(*parent))
        return false;
      context_.acceptMark(',');
    }
  return context_.takeMark(')', "'|' and parents, or ')'");
}

/// Reads numbers and the `;` behind them into numbers_.
bool BifProbabilityReader::readNumbers(uint64_t count, NumbersOf of) {
  numbers_.values.clear();
  numbers_.far.clear();
  while (context_.lexer.peek().kind == BlockToken::Word) {
    if (!table_.takeNumber(BifContext::placed(context_.lexer.take()), of, count, numbers_))
      return false;
    context_.acceptMark(',');
  }
  const BlockToken end = context_.lexer.peek();
  return context_.takeMark(';', "a number or ';'") &&
         table_.checkCount(end.range, of, count, numbers_);
}

/// Reads the states of a row's parents and the `)` behind them.
bool BifProbabilityReader::readStates(std::vector<uint32_t> &states) {
  const std::vector<VarId> &parents = table_.parents();
  context_.takeNames(parents.size(), labels_);
  if (labels_.size() < parents.size())
    return context_.expected("a state of each parent", context_.lexer.peek());
  if (labels_.size() > parents.size())
    return context_.network.error(labels_[parents.size()].range,
                                  "expected ')' behind {} states, found '{}'", parents.size(),
                                  excerpt(labels_[parents.size()].text));
  for (size_t i = 0; i < parents.size(); ++i) {
    const auto state = context_.network.findState(parents[i], labels_[i]);
    if (!state)
      return false;
    states.push_back(*state);
  }
  return context_.takeMark(')', "')' behind the states");
}

/// Reads a row: `(yes, no) 0.1, 0.9;`
bool BifProbabilityReader::readRow() {
  const BlockToken open = context_.lexer.take();
  if (isWhole_)
    return context_.error(open, "{} has a table, rows beside it are too many", table_.text());
  std::vector<uint32_t> states;
  if (!readStates(states))
    return false;
  uint64_t row = 0;
  for (size_t i = 0; i < states.size(); ++i)
    row = row * context_.network.model().variable(table_.parents()[i]).extent + states[i];
  return readNumbers(table_.childExtent(), NumbersOf(row)) &&
         table_.setRow(open.range, row, numbers_);
}

/// Reads a property. After `property function max;` the rows are those of a noisy-max.
bool BifProbabilityReader::readProperty() {
  const BlockToken start = context_.lexer.take();
  if (context_.lexer.peek().isWord("function")) {
    context_.lexer.take();
    isNoisy_ |= context_.lexer.peek().kind == BlockToken::Word &&
                lowerCase(context_.lexer.peek().text) == "max";
  }
  context_.lexer.seek(start);
  return context_.skipProperty();
}

/// Reads the rows of a noisy-max and the `}` behind them.
bool BifProbabilityReader::readNoisyRows() {
  while (!context_.lexer.peek().isMark('}')) {
    const BlockToken open = context_.lexer.peek();
    if (open.isWord("property")) {
      if (!readProperty())
        return false;
      continue;
    }
    if (!open.isMark('('))
      return context_.expected("'(' and the states of a row of a noisy-max (property function "
                               "max), or '}'",
                               open);
    context_.lexer.take();
    ListedRow row;
    row.place = open.range;
    if (!readStates(row.states) ||
        !readNumbers(table_.childExtent(), fmt::format("row {}", listed_.size() + 1).c_str()))
      return false;
    if (!numbers_.far.empty())
      return context_.error(open, "a row of a noisy-max has a number that no double holds");
    row.numbers = numbers_.values;
    listed_.push_back(std::move(row));
  }
  context_.lexer.take();
  return true;
}

/// Adds the noisy-max, or the plain table if the block lists all rows of it.
bool BifProbabilityReader::finishNoisy(SourceRange open) {
  uint64_t rows = 1;
  for (const VarId parent : table_.parents())
    rows = saturatingMul(rows, context_.network.model().variable(parent).extent);
  if (listed_.size() != rows)
    return addNoisyRows(context_.network, table_.child(), table_.parents(), listed_,
                        table_.place());
  if (!table_.allocate(open, rows * table_.childExtent()))
    return false;
  for (const ListedRow &row : listed_) {
    uint64_t number = 0;
    for (size_t i = 0; i < row.states.size(); ++i)
      number =
          number * context_.network.model().variable(table_.parents()[i]).extent + row.states[i];
    if (!table_.setRow(row.place, number, {row.numbers, {}}))
      return false;
  }
  return table_.finish();
}

bool BifProbabilityReader::readDefault() {
  const BlockToken keyword = context_.lexer.take();
  if (table_.hasDefault())
    return context_.error(keyword, "{} has a second default", table_.text());
  if (!readNumbers(table_.childExtent(), "the default"))
    return false;
  table_.setDefault(numbers_);
  return true;
}

bool BifProbabilityReader::readTable() {
  const BlockToken keyword = context_.lexer.take();
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
    const BlockToken token = context_.lexer.peek();
    if (!(token.isWord("property")  ? readProperty()
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
  const BlockToken open = context_.lexer.peek();
  if (!context_.takeMark('{', "'{'"))
    return false;
  while (context_.lexer.peek().isWord("property"))
    if (!readProperty())
      return false;
  if (isNoisy_ && context_.lexer.peek().isMark('(') && !table_.parents().empty())
    return readNoisyRows() && finishNoisy(open.range);
  // Each number is followed by something that is none.
  if (!table_.allocate(open.range, context_.lexer.bytesLeft() / 2 + 1) || !readEntries())
    return false;
  if (isNoisy_ && table_.setRows() != table_.rows() && !table_.hasDefault())
    return context_.error(open,
                          "{} is a noisy-max: 'property function max' stands in front of "
                          "its rows",
                          table_.text());
  return table_.finish();
}

} // namespace

bool readBifProbability(BifContext &context) { return BifProbabilityReader(context).read(); }

} // namespace mpf

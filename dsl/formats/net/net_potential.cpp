#include "dsl/formats/net/net_potential.h"

#include "dsl/formats/network/conditional_table.h"
#include "dsl/syntax/spelling.h"

#include <utility>

namespace mpf {

namespace {

class NetPotential {
public:
  explicit NetPotential(BlockContext &context) : context_(context), table_(context.network) {}

  bool read() {
    if (!readScope())
      return false;
    const BlockToken open = context_.lexer.peek();
    if (!context_.takeMark('{', "'{'"))
      return false;
    while (!context_.lexer.peek().isMark('}'))
      if (!readAttribute())
        return false;
    context_.lexer.take();
    return isWhole_ || fillUniform(open);
  }

private:
  bool readScope() {
    if (!context_.takeMark('(', "'(' and the name of a node"))
      return false;
    const std::optional<PlacedText> child = context_.takeWord("the name of a node");
    if (!child || !table_.setChild(*child))
      return false;
    if (context_.lexer.peek().kind == BlockToken::Word)
      return context_.error(context_.lexer.peek(),
                            "this potential is of '{}' and '{}': potentials of several nodes are "
                            "not read",
                            excerpt(child->text), excerpt(context_.lexer.peek().text));
    if (context_.acceptMark('|'))
      while (!context_.lexer.peek().isMark(')')) {
        const std::optional<PlacedText> parent = context_.takeWord("the name of a parent, or ')'");
        if (!parent || !table_.addParent(*parent))
          return false;
      }
    return context_.takeMark(')', "'|' and parents, or ')'");
  }

  bool readAttribute() {
    const BlockToken name = context_.lexer.peek();
    if (!context_.takeWord("an attribute or '}'"))
      return false;
    if (name.isWord("model_nodes") || name.isWord("model_data"))
      return context_.error(name,
                            "{} computes the table from expressions, which are not read: "
                            "save the network with tables",
                            name.text);
    if (!context_.takeMark('=', "'='"))
      return false;
    return name.isWord("data") ? readData(name) : skipNetValue(context_, name);
  }

  bool readData(const BlockToken &name) {
    if (isWhole_)
      return context_.error(name, "{} has data twice", table_.text());
    isWhole_ = true;
    // Each number is followed by something that is none.
    if (!table_.allocate(name.range, context_.lexer.bytesLeft() / 2 + 1))
      return false;
    const uint64_t count = table_.rows() * table_.childExtent();
    while (!context_.lexer.peek().isMark(';')) {
      const BlockToken token = context_.lexer.take();
      if (token.isMark('('))
        opened_.push_back(numbers_.size());
      else if (token.isMark(')') && !opened_.empty()) {
        if (!closeGroup(token))
          return false;
      } else if (token.kind != BlockToken::Word) {
        return context_.expected("a number, '(', ')' or ';'", token);
      } else if (!isAtDepth(token) ||
                 !table_.takeNumber(BlockContext::placed(token), "data", count, numbers_)) {
        return false;
      }
    }
    const BlockToken end = context_.lexer.take();
    if (!opened_.empty())
      return context_.error(end, "{} '(' of data are not closed before ';'", opened_.size());
    if (!table_.checkCount(end.range, "data", count, numbers_))
      return false;
    table_.setTable(std::move(numbers_));
    return table_.finish();
  }

  /// Whether the number is in as many parentheses as the first one.
  bool isAtDepth(const BlockToken &number) {
    if (numbers_.size() == 0)
      depth_ = opened_.size();
    return opened_.size() == depth_ ||
           context_.error(number, "this number is in {} parentheses, the first of data in {}",
                          opened_.size(), depth_);
  }

  /// Checks a group inside of the outermost parentheses: the innermost ones hold a row, and those
  /// around them a row for each state of a parent.
  bool closeGroup(const BlockToken &close) {
    const uint64_t held = numbers_.size() - opened_.back();
    uint64_t needed = table_.childExtent();
    const std::vector<VarId> &parents = table_.parents();
    for (size_t around = opened_.size(); around < depth_; ++around)
      if (const size_t inner = depth_ - around; inner <= parents.size())
        needed *= context_.network.model().variable(parents[parents.size() - inner]).extent;
    const bool isInner = opened_.size() > 1;
    opened_.pop_back();
    return !isInner || held == needed ||
           context_.error(close, "this group of data has {} numbers, {} needs {} there", held,
                          table_.text(), needed);
  }

  bool fillUniform(const BlockToken &open) {
    if (!table_.allocate(open.range, 0))
      return false;
    const uint64_t extent = table_.childExtent();
    table_.setDefault({std::vector<double>(extent, 1.0 / static_cast<double>(extent)), {}});
    return table_.finish();
  }

  BlockContext &context_;
  ConditionalTable table_;
  ReadNumbers numbers_;
  bool isWhole_ = false;         ///< the potential has data
  std::vector<uint64_t> opened_; ///< numbers before each open parenthesis of data
  size_t depth_ = 0;             ///< parentheses around each number
};

} // namespace

bool skipNetValue(BlockContext &context, const BlockToken &name) {
  while (!context.lexer.peek().isMark(';')) {
    const BlockToken token = context.lexer.take();
    if (token.kind == BlockToken::End || token.isMark('{') || token.isMark('}'))
      return context.error(name, "the attribute '{}' has no ';' behind it", excerpt(name.text));
  }
  context.lexer.take();
  return true;
}

bool readNetPotential(BlockContext &context) { return NetPotential(context).read(); }

} // namespace mpf

#include "dsl/syntax/format_source.h"

#include "dsl/support/check.h"
#include "dsl/syntax/format_tokens.h"
#include "dsl/syntax/parser.h"

namespace mpf {

namespace {

constexpr size_t kMaxColumns = 100;
constexpr size_t kBlockIndent = 2;
constexpr size_t kContinuationIndent = 4;

/// How an open bracket lays out its contents.
enum class Layout {
  Flow,  ///< breaks where a line is full: calls, scopes, indices
  Flat,  ///< all on one line
  Fill,  ///< own lines, as many elements as fit
  Rows,  ///< own lines, one element each
  Block, ///< declarations of a for
};

struct OpenGroup {
  Layout layout = Layout::Flow;
  size_t closeIndent = 0; ///< indent of the line that holds the closing bracket
  size_t indent = 0;      ///< indent of the lines inside
};

class SourceFormatter {
public:
  explicit SourceFormatter(std::shared_ptr<const SourceBuffer> source)
      : tokens_(std::move(source)) {}

  std::string format() {
    while (tokens_.peek().role != FormatRole::End)
      place(tokens_.take());
    if (!text_.empty())
      text_ += '\n';
    return std::move(text_);
  }

private:
  void place(const FormatToken &token) {
    if (token.role != FormatRole::Comment)
      inCommentRun_ = false;
    switch (token.role) {
    case FormatRole::Comment:
      return comment(token);
    case FormatRole::Declaration:
      return declaration(token);
    case FormatRole::LoopBody:
      return loopBody(token);
    case FormatRole::Close:
      return close(token);
    default:
      break;
    }
    separate(token);
    write(token.text);
    open(token);
  }

  void comment(const FormatToken &token) {
    if (!inCommentRun_) {
      inCommentRun_ = true;
      commentIndent_ = indentOfComments();
    }
    if (!token.ownLine && !afterComment_ && !text_.empty()) {
      text_ += "  ";
    } else {
      const bool between = groups_.empty() || groups_.back().layout == Layout::Block;
      newLine(commentIndent_, between && token.blankLine && !blockJustOpened_);
    }
    text_ += token.text;
    afterComment_ = true;
    blockJustOpened_ = blockJustOpened_ && !token.ownLine;
  }

  /// Returns the indent of comments. Those before a declaration, or before the end of a block or of
  /// the file, are laid out like declarations.
  size_t indentOfComments() {
    const FormatRole next = behindComments();
    if (!groups_.empty() && groups_.back().layout != Layout::Block)
      return breakNext_ || next == FormatRole::Close ? groups_.back().indent : continuation();
    if (next == FormatRole::LoopBody)
      return declarationIndent_ + kBlockIndent;
    const bool ends =
        next == FormatRole::Declaration || next == FormatRole::Close || next == FormatRole::End;
    return ends ? blockIndent() : continuation();
  }

  void declaration(const FormatToken &token) {
    declarationIndent_ = blockIndent();
    newLine(declarationIndent_, token.blankLine && !blockJustOpened_);
    write(token.text);
  }

  void loopBody(const FormatToken &token) {
    if (afterComment_ || !fits(token.text.size() + 1, [](const FormatToken &next, size_t depth) {
          return next.role == FormatRole::Declaration || next.role == FormatRole::OpenBlock ||
                 next.role == FormatRole::Comment || (next.role == FormatRole::Close && depth == 0);
        })) {
      declarationIndent_ += kBlockIndent;
      newLine(declarationIndent_, false);
    } else {
      text_ += ' ';
    }
    write(token.text);
  }

  void close(const FormatToken &token) {
    MPF_CHECK(!groups_.empty(), "a closing '{}' without an open bracket passed the parser",
              token.text);
    const OpenGroup group = groups_.back();
    groups_.pop_back();
    if (group.layout == Layout::Flow || group.layout == Layout::Flat)
      separate(token);
    else
      newLine(group.closeIndent, false);
    write(token.text);
  }

  /// Writes the blank or line break before a token in the middle of a declaration.
  void separate(const FormatToken &token) {
    const Layout layout = groups_.empty() ? Layout::Flow : groups_.back().layout;
    if (afterComment_ || breakNext_) {
      newLine(breakNext_ ? groups_.back().indent : continuation(), false);
    } else if (token.space) {
      const auto unitEnds = [](const FormatToken &next, size_t) {
        return next.space || next.role == FormatRole::Comment;
      };
      const bool breaks = layout != Layout::Flat && column() > continuation() &&
                          !opensLiteral(token.role) && !fits(token.text.size() + 1, unitEnds);
      if (breaks)
        newLine(continuation(), false);
      else
        text_ += ' ';
    }
    if (token.kind == TokenKind::Comma && layout == Layout::Rows)
      breakNext_ = true;
  }

  static bool opensLiteral(FormatRole role) {
    return role == FormatRole::OpenArray || role == FormatRole::OpenMap ||
           role == FormatRole::OpenLabels;
  }

  /// Enters the group that `token`, already written, opens.
  void open(const FormatToken &token) {
    if (token.role == FormatRole::OpenBlock) {
      groups_.push_back({Layout::Block, declarationIndent_, declarationIndent_ + kBlockIndent});
      blockJustOpened_ = true;
    } else if (token.role == FormatRole::OpenParen || token.role == FormatRole::OpenIndex) {
      const bool flat = !groups_.empty() && groups_.back().layout == Layout::Flat;
      groups_.push_back({flat ? Layout::Flat : Layout::Flow, 0, continuation()});
    } else if (opensLiteral(token.role)) {
      openLiteral(token);
    }
  }

  void openLiteral(const FormatToken &token) {
    bool closed = false;
    const bool flat = fits(0, [&closed](const FormatToken &next, size_t depth) {
      if (closed)
        return next.space || next.role == FormatRole::Comment;
      closed = next.role == FormatRole::Close && depth == 0;
      return false;
    });
    if (flat) {
      groups_.push_back({Layout::Flat, 0, continuation()});
      return;
    }
    const bool rows =
        token.role == FormatRole::OpenMap || behindComments() == FormatRole::OpenArray;
    groups_.push_back(
        {rows ? Layout::Rows : Layout::Fill, lineIndent_, lineIndent_ + kBlockIndent});
    breakNext_ = true;
  }

  /// Returns the role of the next token that is no comment.
  FormatRole behindComments() {
    size_t at = 0;
    while (tokens_.peek(at).role == FormatRole::Comment)
      ++at;
    return tokens_.peek(at).role;
  }

  /// Whether `width` more columns and the tokens up to the one for which `ends(token, depth)` holds
  /// fit on this line. `depth` counts brackets opened on the way. Looks ahead one line at most; a
  /// comment in between never fits.
  template <class Ends> bool fits(size_t width, Ends ends) {
    size_t end = column() + width, depth = 0;
    for (size_t at = 0; end <= kMaxColumns; ++at) {
      const FormatToken &next = tokens_.peek(at);
      if (next.role == FormatRole::End || ends(next, depth))
        return true;
      if (next.role == FormatRole::Comment)
        return false;
      const bool opens = next.role == FormatRole::OpenParen || next.role == FormatRole::OpenIndex ||
                         opensLiteral(next.role);
      depth += opens;
      depth -= next.role == FormatRole::Close && depth > 0;
      end += next.space + next.text.size();
    }
    return false;
  }

  size_t blockIndent() const {
    for (auto group = groups_.rbegin(); group != groups_.rend(); ++group)
      if (group->layout == Layout::Block)
        return group->indent;
    return 0;
  }

  /// Returns the indent of a line that continues a declaration.
  size_t continuation() const {
    for (auto group = groups_.rbegin(); group != groups_.rend(); ++group) {
      if (group->layout == Layout::Fill)
        return group->indent;
      if (group->layout == Layout::Rows)
        return group->indent + kContinuationIndent;
      if (group->layout == Layout::Block)
        break;
    }
    return declarationIndent_ + kContinuationIndent;
  }

  void newLine(size_t indent, bool blankLine) {
    if (!text_.empty())
      text_ += blankLine ? "\n\n" : "\n";
    lineStart_ = text_.size();
    text_.append(indent, ' ');
    lineIndent_ = indent;
  }

  void write(const std::string &word) {
    text_ += word;
    afterComment_ = false;
    breakNext_ = breakNext_ && word == ",";
    blockJustOpened_ = false;
  }

  size_t column() const { return text_.size() - lineStart_; }

  FormatTokens tokens_;
  std::string text_;
  std::vector<OpenGroup> groups_;
  size_t lineStart_ = 0;  ///< offset of the current line in text_
  size_t lineIndent_ = 0; ///< its indent
  size_t declarationIndent_ = 0;
  size_t commentIndent_ = 0; ///< indent of consecutive comments
  bool inCommentRun_ = false;
  bool afterComment_ = false;    ///< the line must end here
  bool breakNext_ = false;       ///< the next token starts a line of its group
  bool blockJustOpened_ = false; ///< no empty line after the '{'
};

} // namespace

std::optional<std::string> formatSource(std::shared_ptr<const SourceBuffer> source,
                                        Diagnostics &diagnostics) {
  const size_t errorsBefore = diagnostics.errorCount();
  parseFile(source, diagnostics);
  if (diagnostics.errorCount() > errorsBefore)
    return std::nullopt;
  return SourceFormatter(std::move(source)).format();
}

} // namespace mpf

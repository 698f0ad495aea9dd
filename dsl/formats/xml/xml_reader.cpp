#include "dsl/formats/xml/xml_reader.h"

#include "dsl/support/files/byte_order_mark.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <expat.h>
#include <string>
#include <vector>

namespace mpf {

namespace {

constexpr std::string_view kXmlBlanks = " \t\r\n";
/// Bytes that expat gets at once. It copies them, and reads a tag that goes on from its start
/// again.
constexpr size_t kXmlPieceBytes = size_t{4} << 20;

/// The memory that expat of this thread has. Its allocator has no argument that could carry it.
thread_local size_t xmlBytes = 0;

/// Blocks start with their size.
constexpr size_t kSizeBytes = alignof(std::max_align_t);

void *resizeXml(void *block, size_t size) {
  char *const whole = block == nullptr ? nullptr : static_cast<char *>(block) - kSizeBytes;
  size_t before = 0;
  if (whole != nullptr)
    std::memcpy(&before, whole, sizeof before);
  if (size > kMaxXmlBytes || xmlBytes - before + size > kMaxXmlBytes)
    return nullptr;
  char *const moved = static_cast<char *>(std::realloc(whole, size + kSizeBytes));
  if (moved == nullptr)
    return nullptr;
  std::memcpy(moved, &size, sizeof size);
  xmlBytes += size - before;
  return moved + kSizeBytes;
}

void *allocateXml(size_t size) { return resizeXml(nullptr, size); }

void freeXml(void *block) {
  if (block == nullptr)
    return;
  char *const whole = static_cast<char *>(block) - kSizeBytes;
  size_t size = 0;
  std::memcpy(&size, whole, sizeof size);
  xmlBytes -= size;
  std::free(whole);
}

constexpr XML_Memory_Handling_Suite kBoundedMemory = {allocateXml, resizeXml, freeXml};

bool isXmlBlank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

class XmlReader {
public:
  XmlReader(const SourceBuffer &buffer, NetworkBuilder &network, XmlHandler &handler)
      : text_(buffer.text()), network_(network), handler_(handler),
        // The mark of UTF-8 at the start counts more than a declaration.
        parser_(XML_ParserCreate_MM(buffer.text().starts_with(kByteOrderMark) ? "UTF-8" : nullptr,
                                    &kBoundedMemory, nullptr)) {}
  ~XmlReader() { XML_ParserFree(parser_); }
  XmlReader(const XmlReader &) = delete;
  XmlReader &operator=(const XmlReader &) = delete;

  bool read() {
    if (parser_ == nullptr)
      throw std::bad_alloc();
    if (text_.starts_with(kByteOrderMark))
      base_ = kByteOrderMark.size();
    base_ = std::min(text_.find_first_not_of(kXmlBlanks, base_), text_.size());
    XML_SetUserData(parser_, this);
    XML_SetElementHandler(parser_, onStart, onEnd);
    XML_SetCharacterDataHandler(parser_, onText);
    XML_SetCommentHandler(parser_, onComment);
    XML_SetEntityDeclHandler(parser_, onEntity);
    XML_SetStartDoctypeDeclHandler(parser_, onDoctype);
    XML_SetSkippedEntityHandler(parser_, onSkippedEntity);
    for (size_t at = base_; !isStopped_ && at <= text_.size(); at += kXmlPieceBytes) {
      const std::string_view piece = text_.substr(at, kXmlPieceBytes);
      const bool isLast = at + kXmlPieceBytes > text_.size();
      if (XML_Parse(parser_, piece.data(), static_cast<int>(piece.size()), isLast) !=
              XML_STATUS_OK &&
          !isStopped_) {
        reportSyntax();
        return false;
      }
    }
    return !isStopped_;
  }

private:
  struct Open {
    std::string name;
    XmlText text = XmlText::Refused;
  };

  static XmlReader &self(void *user) { return *static_cast<XmlReader *>(user); }
  static void onStart(void *user, const XML_Char *name, const XML_Char **attributes) {
    self(user).start(name, attributes);
  }
  static void onEnd(void *user, const XML_Char *) { self(user).end(); }
  static void onText(void *user, const XML_Char *piece, int size) {
    self(user).addText({piece, static_cast<size_t>(size)});
  }
  static void onComment(void *user, const XML_Char *text) { self(user).comment(text); }
  static void onEntity(void *user, const XML_Char *name, int, const XML_Char *, int,
                       const XML_Char *, const XML_Char *, const XML_Char *, const XML_Char *) {
    self(user).stop(self(user).rangeHere(), "the entity '{}' is declared: entities are refused",
                    excerpt(name));
  }
  static void onDoctype(void *user, const XML_Char *, const XML_Char *file, const XML_Char *, int) {
    if (file != nullptr)
      self(user).stop(self(user).rangeHere(),
                      "the document type is in '{}': no other file is opened, so remove SYSTEM or "
                      "PUBLIC and the address",
                      excerpt(file));
  }
  static void onSkippedEntity(void *user, const XML_Char *name, int) {
    self(user).stop(self(user).rangeHere(), "'&{};' stands for a text that is not here",
                    excerpt(name));
  }

  /// The text of the event at hand.
  SourceRange rangeHere() const {
    const XML_Index at = XML_GetCurrentByteIndex(parser_);
    const size_t begin =
        std::min(base_ + static_cast<size_t>(std::max<XML_Index>(at, 0)), text_.size());
    const size_t end = std::min(
        begin + static_cast<size_t>(std::max(XML_GetCurrentByteCount(parser_), 0)), text_.size());
    return {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
  }

  template <class... Args>
  bool stop(SourceRange at, fmt::format_string<Args...> format, Args &&...args) {
    if (!isStopped_)
      network_.error(at, format, std::forward<Args>(args)...);
    return halt();
  }

  bool halt() {
    isStopped_ = true;
    XML_StopParser(parser_, XML_FALSE);
    return false;
  }

  void reportSyntax() {
    const XML_Error code = XML_GetErrorCode(parser_);
    const SourceRange at = rangeHere();
    const SourceRange place = {at.begin, std::max(at.begin + 1, at.end)};
    if (code == XML_ERROR_NO_MEMORY)
      network_.error(place,
                     "a tag, a comment or the names up to here take more than {} MiB, the "
                     "limit",
                     kMaxXmlBytes >> 20);
    else if (code == XML_ERROR_UNKNOWN_ENCODING || code == XML_ERROR_INCORRECT_ENCODING)
      network_.error(place, "this encoding is not read: convert the file with iconv to UTF-8, and "
                            "name that in its first line");
    else if (code == XML_ERROR_NO_ELEMENTS && !open_.empty())
      network_.error(place, "the file ends in the element {}, which is not closed",
                     excerpt(open_.back().name));
    else if (code == XML_ERROR_NO_ELEMENTS)
      network_.error(place, "the file has no element");
    else if (at.begin >= 3 && text_.substr(at.begin - 3, 3) == "<!-")
      network_.error({at.begin - 3, at.begin}, "a comment of XML starts with <!--");
    else if (code == XML_ERROR_INVALID_TOKEN && at.begin < text_.size() &&
             static_cast<unsigned char>(text_[at.begin]) >= 0x80)
      network_.error(place, "this byte is no UTF-8: name the encoding in the first line, <?xml "
                            "version=\"1.0\" encoding=\"ISO-8859-1\"?>");
    else
      network_.error(place, "this is no XML: {}", XML_ErrorString(code));
  }

  void start(const XML_Char *name, const XML_Char **attributes) {
    if (isStopped_)
      return;
    const bool isSkipped = !open_.empty() && open_.back().text == XmlText::Skipped;
    if (open_.size() >= kMaxXmlDepth) {
      stop(rangeHere(), "elements stand more than {} deep, the limit", kMaxXmlDepth);
      return;
    }
    if (isSkipped) {
      open_.push_back({{}, XmlText::Skipped});
      return;
    }
    const SourceRange range = rangeHere();
    if (!open_.empty() && open_.back().text != XmlText::Refused) {
      network_.error(range, "expected text in {}, found the element {}", excerpt(open_.back().name),
                     excerpt(name));
      open_.push_back({{}, XmlText::Skipped});
    } else {
      const XmlElement element{name, open_.empty() ? std::string_view() : open_.back().name, range,
                               attributes};
      const XmlText text = handler_.start(element);
      open_.push_back({name, text});
    }
    whole_.clear();
    wholeRange_ = {range.end, range.end};
    stopWhenFull();
  }

  void end() {
    if (isStopped_)
      return;
    endWord();
    const Open closed = std::move(open_.back());
    open_.pop_back();
    if (closed.text == XmlText::Skipped)
      return;
    while (!whole_.empty() && isXmlBlank(whole_.back()))
      whole_.pop_back();
    handler_.end(closed.name, {whole_, wholeRange_});
    whole_.clear();
    stopWhenFull();
  }

  void stopWhenFull() {
    if (network_.diagnostics().full())
      halt();
  }

  void addText(std::string_view piece) {
    if (isStopped_ || open_.empty())
      return;
    switch (open_.back().text) {
    case XmlText::Skipped:
      return;
    case XmlText::Refused:
      refuseText(piece);
      return;
    case XmlText::Whole:
      addWhole(piece);
      return;
    case XmlText::Words:
      addWords(piece);
    }
  }

  void refuseText(std::string_view piece) {
    if (std::ranges::all_of(piece, isXmlBlank))
      return;
    const size_t blanks = std::min(piece.find_first_not_of(kXmlBlanks), piece.size());
    const uint32_t at = rangeHere().begin + static_cast<uint32_t>(blanks);
    network_.error({at, at + 1}, "expected an element in {}, found the text '{}'",
                   excerpt(open_.back().name), excerpt(piece.substr(blanks)));
    stopWhenFull();
  }

  void addWhole(std::string_view piece) {
    const SourceRange range = rangeHere();
    const size_t last = piece.find_last_not_of(kXmlBlanks);
    const bool isPlain = range.end - range.begin == piece.size(); // else it is `&amp;` or the like
    if (last != piece.npos)
      wholeRange_.end = isPlain ? range.begin + static_cast<uint32_t>(last) + 1 : range.end;
    if (whole_.empty()) {
      const size_t blanks = std::min(piece.find_first_not_of(kXmlBlanks), piece.size());
      piece.remove_prefix(blanks);
      wholeRange_.begin = std::min(range.begin + static_cast<uint32_t>(blanks), wholeRange_.end);
    }
    whole_ += piece;
  }

  /// Hands over the words of a piece. The last one may go on in the next piece.
  void addWords(std::string_view piece) {
    const uint32_t begin = rangeHere().begin;
    size_t at = 0;
    if (!word_.empty()) {
      at = std::min(piece.find_first_of(kXmlBlanks), piece.size());
      word_ += piece.substr(0, at);
      wordRange_.end = begin + static_cast<uint32_t>(at);
      if (at == piece.size())
        return;
      endWord();
    }
    while (true) {
      while (at < piece.size() && isXmlBlank(piece[at]))
        ++at;
      if (at == piece.size() || isStopped_)
        return;
      size_t end = at;
      while (end < piece.size() && !isXmlBlank(piece[end]))
        ++end;
      const SourceRange range = {begin + static_cast<uint32_t>(at),
                                 begin + static_cast<uint32_t>(end)};
      if (end == piece.size()) {
        word_ = piece.substr(at);
        wordRange_ = range;
        return;
      }
      handler_.word({piece.substr(at, end - at), range});
      stopWhenFull();
      at = end;
    }
  }

  void comment(std::string_view text) {
    endWord();
    if (!isStopped_ && (open_.empty() || open_.back().text != XmlText::Skipped))
      handler_.comment({text, rangeHere()});
  }

  void endWord() {
    if (word_.empty() || isStopped_)
      return;
    handler_.word({word_, wordRange_});
    word_.clear();
    stopWhenFull();
  }

  const std::string_view text_;
  NetworkBuilder &network_;
  XmlHandler &handler_;
  XML_Parser parser_;
  size_t base_ = 0; ///< where the parser's text starts
  bool isStopped_ = false;
  std::vector<Open> open_;
  std::string whole_, word_; ///< the text of the element, the word at the end of the last piece
  SourceRange wholeRange_, wordRange_;
};

void skipBehind(std::string_view &text, std::string_view end) {
  const size_t at = text.find(end);
  text.remove_prefix(at == text.npos ? text.size() : at + end.size());
}

/// Skips `<? ... ?>` or `<!-- ... -->` at the start; false: there is none.
bool skipRemark(std::string_view &text) {
  const bool isComment = text.starts_with("<!--");
  if (!isComment && !text.starts_with("<?"))
    return false;
  skipBehind(text, isComment ? "-->" : "?>");
  return true;
}

/// Skips `<!DOCTYPE ... [ ... ] >` at the start; false: there is none. Quotes and remarks may hold
/// its marks.
bool skipDoctype(std::string_view &text) {
  if (!text.starts_with("<!DOCTYPE"))
    return false;
  text.remove_prefix(1);
  for (int64_t depth = 0; !text.empty();) {
    if (skipRemark(text))
      continue;
    const char c = text.front();
    text.remove_prefix(1);
    if (c == '"' || c == '\'')
      skipBehind(text, std::string_view(&c, 1));
    else if (c == '[')
      ++depth;
    else if (c == ']')
      --depth;
    else if (c == '>' && depth <= 0)
      break;
  }
  return true;
}

} // namespace

std::optional<PlacedText> XmlElement::attribute(std::string_view wanted) const {
  for (const char *const *at = attributes; *at != nullptr; at += 2)
    if (wanted == at[0])
      return PlacedText{at[1], range};
  return std::nullopt;
}

bool readXml(const SourceBuffer &buffer, NetworkBuilder &network, XmlHandler &handler) {
  return XmlReader(buffer, network, handler).read();
}

std::string_view xmlRoot(std::string_view text) {
  do
    text.remove_prefix(std::min(text.find_first_not_of(kXmlBlanks), text.size()));
  while (skipRemark(text) || skipDoctype(text));
  if (!text.starts_with('<'))
    return {};
  text.remove_prefix(1);
  return text.substr(0, text.find_first_of(" \t\r\n/>"));
}

} // namespace mpf

// XML text -> calls of a handler, for readers of formats that are written in XML. The text is
// parsed by expat, element by element, without a tree. Only elements, attributes and text count.
//
// A text may not do harm. Declarations of entities, external document types and more than
// kMaxXmlDepth open elements are errors. No other file is opened. The parser has at most
// kMaxXmlBytes of memory. UTF-8 and ISO-8859-1 are read. Values are UTF-8.
#pragma once

#include "dsl/formats/network/network_builder.h"

#include <optional>
#include <string_view>

namespace mpf {

inline constexpr size_t kMaxXmlDepth = 64;
inline constexpr size_t kMaxXmlBytes = size_t{32} << 20;

/// The use of an element's text.
enum class XmlText {
  Refused, ///< it has other elements; text that is not blank is an error
  Skipped, ///< the handler sees neither the text nor the elements inside
  Whole,   ///< XmlHandler::end gets it, without blanks at its ends
  Words,   ///< XmlHandler::word gets each word
};

/// An element that starts. Its views are valid during the call.
struct XmlElement {
  std::string_view name;
  std::string_view parent;                 ///< name of the element around it; empty: none
  SourceRange range;                       ///< the start tag
  const char *const *attributes = nullptr; ///< names and values in turn, then null

  /// The value of an attribute, at the place of the element.
  std::optional<PlacedText> attribute(std::string_view wanted) const;
};

class XmlHandler {
public:
  virtual ~XmlHandler() = default;
  virtual XmlText start(const XmlElement &element) = 0;
  /// A word of an element with XmlText::Words. A comment ends a word.
  virtual void word(const PlacedText &) {}
  /// A comment outside of skipped elements.
  virtual void comment(const PlacedText &) {}
  /// The end of an element that is not skipped, with its text if that is Whole.
  virtual void end(std::string_view name, const PlacedText &text) = 0;
};

/// Reads the text from its first character that is no blank. Returns false after reporting that the
/// text is no XML, or does one of the things above; the handler reports all other errors itself.
/// Stops early when `network` has reported too many errors.
bool readXml(const SourceBuffer &buffer, NetworkBuilder &network, XmlHandler &handler);

/// The name of the first element of an XML text, behind declarations, comments and a document type.
/// Empty: the text does not start like XML. The text starts with no blank.
std::string_view xmlRoot(std::string_view text);

} // namespace mpf

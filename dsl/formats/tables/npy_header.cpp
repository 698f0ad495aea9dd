#include "dsl/formats/tables/npy_header.h"

#include "dsl/support/counts.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace mpf {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr uint32_t kMaxRecordBytes = 1u << 20;
constexpr size_t kMaxDims = 64; // numpy 2 has the same limit

/// Parses the header's dictionary. It is a fixed subset of Python literals, so that nesting needs
/// no limit.
class DictParser {
public:
  explicit DictParser(std::string_view text) : text_(text) {}

  /// Returns false and sets problem() unless the text has exactly the three keys.
  bool parse(NpyHeader &header) {
    if (!take("{"))
      return expected("'{'");
    while (!take("}")) {
      if (!parseEntry(header))
        return false;
      if (!take(",") && !peek("}"))
        return expected("',' or '}'");
    }
    if (!peek("") || at_ != text_.size())
      return expected("the end of the header");
    if (!(hasDescr_ && hasOrder_ && hasShape_))
      return fail(fmt::format("its header has no {}", !hasDescr_   ? "'descr'"
                                                      : !hasOrder_ ? "'fortran_order'"
                                                                   : "'shape'"));
    return true;
  }
  const std::string &problem() const { return problem_; }

private:
  bool fail(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }
  bool expected(const char *what) {
    return fail(fmt::format("expected {} at character {} of its header, found '{}'", what, at_,
                            printable(text_.substr(at_, 12))));
  }
  static std::string printable(std::string_view text) {
    std::string shown;
    for (const char c : text)
      if ((c & 0xc0) != 0x80) // the first byte of a character
        shown += c >= 0x20 && c < 0x7f ? c : '?';
    return shown;
  }

  /// Skips blanks; true if `literal` comes next.
  bool peek(std::string_view literal) {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n'))
      ++at_;
    return text_.substr(at_).starts_with(literal);
  }
  bool take(std::string_view literal) {
    if (!peek(literal))
      return false;
    at_ += literal.size();
    return true;
  }

  bool parseEntry(NpyHeader &header) {
    std::string_view key;
    if (!takeString(key) || !take(":"))
      return expected("a key and ':'");
    bool *seen = key == "descr"           ? &hasDescr_
                 : key == "fortran_order" ? &hasOrder_
                 : key == "shape"         ? &hasShape_
                                          : nullptr;
    if (seen == nullptr || *seen)
      return fail(fmt::format("its header has {} key '{}'", seen ? "twice the" : "the unknown",
                              printable(key.substr(0, 40))));
    *seen = true;
    if (seen == &hasDescr_)
      return parseDescr(header);
    if (seen == &hasShape_)
      return parseShape(header.shape);
    header.fortranOrder = take("True");
    return header.fortranOrder || take("False") || expected("True or False");
  }

  bool takeString(std::string_view &value) {
    const bool single = take("'");
    if (!single && !take("\""))
      return false;
    const size_t close = text_.find(single ? '\'' : '"', at_);
    if (close == std::string_view::npos)
      return false;
    value = text_.substr(at_, close - at_);
    at_ = close + 1;
    return true;
  }

  bool parseDescr(NpyHeader &header) {
    if (take("["))
      return parseFields(header);
    const bool known = parseType(header.type);
    header.itemBytes = header.type.bytes;
    return known;
  }

  /// ('rain', '<i4'), ('', '|V4')]
  bool parseFields(NpyHeader &header) {
    header.itemBytes = 0;
    while (!take("]")) {
      NpyField field;
      std::string_view name;
      if (!take("(") || !takeString(name) || !take(","))
        return expected("a name and a type of a record");
      field.name = name;
      field.offset = header.itemBytes;
      uint64_t bytes = 0;
      if (peek("'|V") || peek("\"|V")) {
        if (!parsePadding(bytes))
          return false;
      } else if (!parseType(field.type) || (take(",") && !parseShape(field.shape))) {
        return false;
      } else {
        bytes = saturatingMul(field.elems(), field.type.bytes);
        if (bytes == 0)
          return fail(fmt::format("the field '{}' of its records holds nothing", printable(name)));
        header.fields.push_back(std::move(field));
      }
      if (bytes > kMaxRecordBytes - header.itemBytes)
        return fail(fmt::format("its records have more than {} bytes, the limit", kMaxRecordBytes));
      header.itemBytes += static_cast<uint32_t>(bytes);
      if (!take(")"))
        return expected("')': fields are numbers, or arrays of them");
      if (!take(",") && !peek("]"))
        return expected("',' or ']'");
    }
    return !header.fields.empty() || fail("its records hold nothing");
  }

  bool parsePadding(uint64_t &bytes) {
    std::string_view text;
    if (!takeString(text))
      return expected("a quote that ends the padding of its records");
    text.remove_prefix(2); // |V
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), bytes);
    return (status == std::errc() && end == text.data() + text.size() &&
            bytes <= kMaxRecordBytes) ||
           fail("the padding of its records is not understood");
  }

  bool parseType(NpyType &stored) {
    std::string_view descr;
    if (!takeString(descr))
      return expected("a type");
    const char order = descr.empty() ? ' ' : descr[0];
    const std::string_view type = descr.substr(descr.empty() ? 0 : 1);
    const uint32_t bytes = type.size() == 2 && type[1] >= '1' && type[1] <= '8'
                               ? static_cast<uint32_t>(type[1] - '0')
                               : 0;
    const bool powerOfTwo = bytes != 0 && (bytes & (bytes - 1)) == 0;
    const char kind = type.empty() ? ' ' : type[0];
    const bool known = (kind == 'b' && bytes == 1) || (kind == 'f' && bytes >= 2 && powerOfTwo) ||
                       ((kind == 'i' || kind == 'u') && powerOfTwo);
    // '|' (no byte order) fits single bytes; numpy also writes '<' there on some platforms.
    const bool ordered = order == '<' || order == '>' || (order == '|' && bytes == 1);
    if (!known || !ordered)
      return fail(fmt::format("its type '{}' is not supported: bool, integers and floats of up to "
                              "8 bytes are",
                              printable(descr.substr(0, 40))));
    stored.kind = kind == 'b'   ? NpyKind::Bool
                  : kind == 'f' ? NpyKind::Float
                  : kind == 'i' ? NpyKind::Signed
                                : NpyKind::Unsigned;
    stored.bytes = bytes;
    stored.bigEndian = order == '>';
    return true;
  }

  bool parseShape(std::vector<uint64_t> &shape) {
    if (!take("("))
      return expected("'('");
    while (!take(")")) {
      uint64_t dim = 0;
      peek("");
      const char *begin = text_.data() + at_, *end = text_.data() + text_.size();
      const auto [after, status] = std::from_chars(begin, end, dim);
      if (status != std::errc())
        return expected("a size");
      at_ += static_cast<size_t>(after - begin);
      if (shape.size() == kMaxDims)
        return fail(fmt::format("it has more than {} dimensions", kMaxDims));
      shape.push_back(dim);
      // A shape has at least one comma: (3) is a number in Python.
      if (!take(",") && (shape.size() == 1 || !peek(")")))
        return expected("','");
    }
    return true;
  }

  std::string_view text_;
  size_t at_ = 0;
  bool hasDescr_ = false, hasOrder_ = false, hasShape_ = false;
  std::string problem_;
};

/// The text of headers of versions 1 and 2.
std::string utf8OfLatin1(std::string_view text) {
  std::string utf8;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      utf8 += c;
      continue;
    }
    utf8 += static_cast<char>(0xc0 | byte >> 6);
    utf8 += static_cast<char>(0x80 | (byte & 0x3f));
  }
  return utf8;
}

uint64_t littleEndian(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = bytes.size(); i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

uint64_t productOf(const std::vector<uint64_t> &shape) {
  // A zero size makes the whole empty, even when the others do not fit 64 bits.
  uint64_t product = 1;
  bool empty = false;
  for (const uint64_t dim : shape) {
    empty = empty || dim == 0;
    product = saturatingMul(product, dim);
  }
  return empty ? 0 : product;
}

} // namespace

uint64_t NpyField::elems() const { return productOf(shape); }
uint64_t NpyHeader::elems() const { return productOf(shape); }

std::string NpyHeader::shapeTextOf(const std::vector<uint64_t> &shape) {
  return fmt::format("{}", fmt::join(shape, ", "));
}

std::optional<size_t> npyHeaderBytes(std::string_view start, std::string &problem) {
  const auto refuse = [&](std::string text) {
    problem = std::move(text);
    return std::nullopt;
  };
  if (!start.starts_with(kMagic))
    return refuse("it does not start like a .npy file");
  const size_t lengthAt = kMagic.size() + 2;
  if (start.size() < lengthAt)
    return refuse(fmt::format("it ends in its header, after {} bytes", start.size()));
  const int major = static_cast<unsigned char>(start[6]),
            minor = static_cast<unsigned char>(start[7]);
  if (major < 1 || major > 3 || minor != 0)
    return refuse(fmt::format("its version is {}.{}, 1.0 to 3.0 are known", major, minor));
  const size_t lengthBytes = major == 1 ? 2 : 4;
  const size_t textAt = lengthAt + lengthBytes;
  if (start.size() < textAt)
    return refuse(fmt::format("it ends in its header, after {} bytes", start.size()));
  const uint64_t length = littleEndian(start.substr(lengthAt, lengthBytes));
  if (length > kMaxNpyHeaderBytes)
    return refuse(
        fmt::format("its header has {} bytes, the limit is {}", length, kMaxNpyHeaderBytes));
  return textAt + length;
}

std::optional<NpyHeader> parseNpyHeader(std::string_view start, std::string &problem) {
  const std::optional<size_t> bytes = npyHeaderBytes(start, problem);
  if (!bytes)
    return std::nullopt;
  const size_t textAt = kMagic.size() + 2 + (start[6] == 1 ? 2 : 4);
  if (*bytes > start.size()) {
    problem = fmt::format("its header has {} bytes, the file ends after {} of them",
                          *bytes - textAt, start.size() - textAt);
    return std::nullopt;
  }
  NpyHeader header;
  const std::string_view stored = start.substr(textAt, *bytes - textAt);
  const std::string text = start[6] < 3 ? utf8OfLatin1(stored) : std::string(stored);
  DictParser parser(text);
  if (!parser.parse(header)) {
    problem = parser.problem();
    return std::nullopt;
  }
  header.dataBegin = *bytes;
  return header;
}

std::string sizeProblem(const NpyHeader &header, uint64_t present) {
  const uint64_t needed = saturatingMul(header.elems(), header.itemBytes);
  return fmt::format("its shape ({}) needs {} bytes of entries, it has {}", header.shapeText(),
                     needed == UINT64_MAX ? "2^64 or more" : std::to_string(needed), present);
}

std::string formatNpyHeader(const std::vector<uint64_t> &shape, size_t bytes) {
  std::string text = fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}{}), }}",
                                 fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  // The entries start at a multiple of 64 bytes; the header ends with a line feed.
  constexpr size_t kPreludeBytes = 10, kAlignBytes = 64;
  size_t total = kPreludeBytes + text.size() + 1;
  total = std::max(total, bytes);
  total = (total + kAlignBytes - 1) / kAlignBytes * kAlignBytes;
  text.append(total - kPreludeBytes - text.size() - 1, ' ');
  text += '\n';
  std::string header(kMagic);
  header += '\x01';
  header += '\0';
  header += static_cast<char>(text.size() & 0xff);
  header += static_cast<char>(text.size() >> 8);
  return header + text;
}

} // namespace mpf

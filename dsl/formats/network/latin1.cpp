#include "dsl/formats/network/latin1.h"

#include "dsl/support/files/byte_order_mark.h"
#include "dsl/syntax/spelling.h"

namespace mpf {

std::shared_ptr<const SourceBuffer> inUtf8(std::shared_ptr<const SourceBuffer> buffer,
                                           Diagnostics &diagnostics) {
  const std::optional<size_t> bad = firstInvalidUtf8(buffer->text());
  if (!bad)
    return buffer;
  if (buffer->text().starts_with(kByteOrderMark)) {
    const auto at = static_cast<uint32_t>(*bad);
    diagnostics.error({std::move(buffer), {at, at + 1}},
                      "this byte is no UTF-8, as the mark at the start of the file says");
    return nullptr;
  }
  std::string text;
  text.reserve(buffer->text().size() + buffer->text().size() / 8);
  uint32_t place = 0;
  for (size_t i = 0; i < buffer->text().size(); ++i) {
    const auto byte = static_cast<unsigned char>(buffer->text()[i]);
    if (i == *bad)
      place = static_cast<uint32_t>(text.size());
    if (byte < 0x80) {
      text += static_cast<char>(byte);
    } else {
      text += static_cast<char>(0xc0 | (byte >> 6));
      text += static_cast<char>(0x80 | (byte & 0x3f));
    }
  }
  auto made = std::make_shared<const SourceBuffer>(buffer->name(), std::move(text));
  diagnostics.warning({made, {place, place + 2}},
                      "this byte is no UTF-8: the file is read as ISO-8859-1 (Latin-1)");
  return made;
}

} // namespace mpf

#include "dsl/formats/numbers/integer_list.h"

#include "dsl/formats/numbers/token_scanner.h"

#include <algorithm>

namespace mpf {

SourcePlace IntegerList::placeOf(size_t position) const {
  const std::string_view rest = buffer->text().substr(offsets[position]);
  const auto length = std::min(rest.find_first_of(" \t\r\n\v\f"), rest.size());
  return {buffer, {offsets[position], offsets[position] + static_cast<uint32_t>(length)}};
}

bool IntegerList::startsLine(size_t position) const {
  return std::binary_search(lineHeads.begin(), lineHeads.end(), position);
}

std::optional<IntegerList> readIntegerList(std::shared_ptr<const SourceBuffer> buffer,
                                           std::string_view what, std::string_view hint,
                                           Diagnostics &diagnostics) {
  const size_t errorsBefore = diagnostics.errorCount();
  TokenScanner scan(buffer, diagnostics);
  IntegerList list;
  list.buffer = std::move(buffer);
  bool newLine = true;
  while (!scan.atEnd() && !diagnostics.full()) {
    uint64_t value = 0;
    const Scan status = scan.scanUnsigned(value);
    if (status == Scan::TooLarge)
      diagnostics.error(scan.lastPlace(), "{} does not fit 64 bits", scan.lastText());
    else if (status != Scan::Ok)
      diagnostics.report(
          {Severity::Error, scan.lastPlace(),
           fmt::format("{} holds whole numbers from 0, found '{}'", what, scan.lastText()),
           std::string(diagnostics.errorCount() == errorsBefore ? hint : "")});
    if (newLine)
      list.lineHeads.push_back(list.values.size());
    newLine = scan.lineEndsHere();
    list.values.push_back(value);
    list.offsets.push_back(scan.lastPlace().range.begin);
  }
  if (diagnostics.errorCount() != errorsBefore)
    return std::nullopt;
  return list;
}

} // namespace mpf

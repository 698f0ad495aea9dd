#include "tools/mpfc/help/text_block.h"

#include <algorithm>

namespace mpf::driver {

std::string textBlock(std::string_view start, size_t column, std::string_view text, size_t width) {
  std::string block(start);
  size_t used = start.size();
  const std::string indent(column, ' ');
  if (used + 1 >= column && column != 0 && used != 0) {
    block += '\n' + indent;
    used = column;
  } else {
    block.append(column - used, ' ');
    used = column;
  }
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    const bool isFirst = used == column;
    if (!isFirst && used + 1 + word.size() > width) {
      block += '\n' + indent;
      used = column;
    } else if (!isFirst) {
      block += ' ';
      ++used;
    }
    block += word;
    used += word.size();
    at = end + 1;
  }
  return block + '\n';
}

} // namespace mpf::driver

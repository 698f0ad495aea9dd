#include "codegen/emit/marked_text.h"

namespace mpf {

namespace {

constexpr std::string_view kMark = "//: ";

/// Calls visit(line) for each line of the text, without its end.
template <class Visit> void forEachLine(std::string_view text, const Visit &visit) {
  while (!text.empty()) {
    const size_t end = text.find('\n');
    visit(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
}

} // namespace

std::string markLines(std::string_view text) {
  std::string marked;
  forEachLine(text, [&marked](std::string_view line) {
    marked += kMark;
    marked += line;
    marked += '\n';
  });
  return marked;
}

bool hasMarkedLines(std::string_view cudaText) {
  bool has = false;
  forEachLine(cudaText, [&has](std::string_view line) { has |= line.starts_with(kMark); });
  return has;
}

std::string markedLines(std::string_view cudaText) {
  std::string lines;
  forEachLine(cudaText, [&lines](std::string_view line) {
    if (line.starts_with(kMark)) {
      lines += std::string(kMark.size(), ' ');
      lines += line.substr(kMark.size());
    }
    lines += '\n';
  });
  return lines;
}

} // namespace mpf

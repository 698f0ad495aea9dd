// Writes indented program text line by line. Two spaces a level, LF endings, nothing else: the
// same calls give the same bytes everywhere.
#pragma once

#include <fmt/core.h>
#include <string>
#include <string_view>

namespace mpf {

/// Not thread-safe. Every open() needs its close(): finish() checks that nesting is back at zero.
class CodeWriter {
public:
  template <class... Args> void line(fmt::format_string<Args...> format, Args &&...args) {
    text(fmt::format(format, std::forward<Args>(args)...));
  }
  /// One line as it is; an empty one stays free of blanks.
  void text(std::string_view line);
  /// A line at the left margin, for preprocessor directives.
  void directive(std::string_view line);
  /// "header {" and one level deeper; an empty header gives a plain block.
  void open(std::string_view header);
  /// One level back and "}".
  void close();
  std::string finish();

private:
  std::string out_;
  size_t depth_ = 0;
};

} // namespace mpf

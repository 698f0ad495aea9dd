// Writes indented program text line by line, with two spaces for each level and LF line ends. The
// same calls give the same bytes on every machine.
#pragma once

#include <fmt/core.h>
#include <string>
#include <string_view>

namespace mpf {

/// Every open() needs a close(). Not thread-safe.
class CodeWriter {
public:
  template <class... Args> void line(fmt::format_string<Args...> format, Args &&...args) {
    text(fmt::format(format, std::forward<Args>(args)...));
  }
  /// Writes one line, indented; an empty line gets no blanks.
  void text(std::string_view line);
  /// Writes one line without indentation, for preprocessor directives.
  void directive(std::string_view line);
  /// Writes "header {" and goes one level deeper. An empty header gives "{" alone.
  void open(std::string_view header);
  /// Goes one level back and writes "}".
  void close();
  /// Returns the text; all blocks must be closed. Call it once.
  std::string finish();

private:
  std::string out_;
  size_t depth_ = 0;
};

} // namespace mpf

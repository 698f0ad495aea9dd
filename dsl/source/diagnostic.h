// What is wrong with a text, and where: collected while reading goes on, printed together.
//
// Message style: lower-case start, no final full stop, both sides and both numbers
// ("table of f has 11 values, its scope (x:2, y:2, z:3) needs 12").
#pragma once

#include "dsl/source/source_buffer.h"

#include <cstdio>
#include <fmt/core.h>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mpf {

enum class Severity {
  Error,
  Warning,
  Performance, ///< predicted memory, width, a poor given order: right, but slow
  Note         ///< belongs to the diagnostic before it
};

/// A place in a text. `buffer` may be null: then the diagnostic has no line to show.
struct SourcePlace {
  std::shared_ptr<const SourceBuffer> buffer;
  SourceRange range;
};

struct Diagnostic {
  Severity severity = Severity::Error;
  SourcePlace place;
  std::string message;
  std::string hint; ///< "did you mean 'sprinkler'?", empty when there is none
};

/// The sink every reader and checker reports to. Not thread-safe: one per compilation.
class Diagnostics {
public:
  /// `errorLimit`: further errors are counted, not kept (0 = keep all).
  explicit Diagnostics(size_t errorLimit = 50) : errorLimit_(errorLimit) {}

  void report(Diagnostic diagnostic);
  template <class... Args>
  void error(SourcePlace place, fmt::format_string<Args...> format, Args &&...args) {
    report(
        {Severity::Error, std::move(place), fmt::format(format, std::forward<Args>(args)...), {}});
  }
  template <class... Args>
  void warning(SourcePlace place, fmt::format_string<Args...> format, Args &&...args) {
    report({Severity::Warning,
            std::move(place),
            fmt::format(format, std::forward<Args>(args)...),
            {}});
  }
  template <class... Args>
  void note(SourcePlace place, fmt::format_string<Args...> format, Args &&...args) {
    report(
        {Severity::Note, std::move(place), fmt::format(format, std::forward<Args>(args)...), {}});
  }

  size_t errorCount() const { return errorCount_; }
  bool hasErrors() const { return errorCount_ != 0; }
  /// True once the limit is passed: readers may give up early.
  bool full() const { return errorLimit_ != 0 && errorCount_ > errorLimit_; }
  const std::vector<Diagnostic> &all() const { return diagnostics_; }

private:
  size_t errorLimit_;
  size_t errorCount_ = 0;
  bool dropping_ = false; ///< the last error was over the limit, so its notes go too
  std::vector<Diagnostic> diagnostics_;
};

/// "file:line:column: error: message", the source line, a caret line, the hint.
std::string renderDiagnostic(const Diagnostic &diagnostic);
/// All of them in report order, then one line counting what the limit dropped. `origin` ("mpfc: ")
/// stands before those that have no place in a text.
std::string renderDiagnostics(const Diagnostics &diagnostics, std::string_view origin = "");

} // namespace mpf

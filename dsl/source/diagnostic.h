// Diagnostics: the faults of a text, with their places. Readers collect them and go on reading;
// they are printed together at the end.
//
// Messages start in lower case, have no final full stop, and give both numbers that disagree
// ("table of f has 11 values, its scope (x:2, y:2, z:3) needs 12").
#pragma once

#include "dsl/source/source_buffer.h"

#include <cstdint>
#include <cstdio>
#include <fmt/core.h>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mpf {

enum class Severity {
  Error,
  Warning,
  Performance, ///< the answer will be right, but slow: too much memory, a poor given order
  Note         ///< belongs to the diagnostic before it
};

/// A place in a text. If `buffer` is null, the diagnostic has no line to show.
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

/// The sink that readers and checkers report to. Not thread-safe: each compilation has its own.
class Diagnostics {
public:
  /// The first `kept` errors are kept, further ones are counted: `counted` at least, as readers
  /// stop after them. `kept` 0: all are kept and counted.
  explicit Diagnostics(size_t kept = 50, size_t counted = 10'000)
      : kept_(kept == 0 ? SIZE_MAX : kept), counted_(kept == 0 ? SIZE_MAX : counted) {}

  void report(Diagnostic diagnostic);
  /// Reports what `found` kept, and counts the errors that it did not keep.
  void append(const Diagnostics &found);
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
  /// Whether an error went beyond those that are counted: readers may stop early.
  bool full() const { return errorCount_ > counted_; }
  /// The count of errors for a message: "190 errors", "at least 10001 errors".
  std::string shownCount() const;
  /// Says how many errors were not kept: "140 more errors not shown"; empty: all were kept.
  std::string notKept() const;
  const std::vector<Diagnostic> &all() const { return diagnostics_; }

private:
  size_t kept_, counted_;
  size_t errorCount_ = 0;
  bool dropping_ = false; ///< the last error was dropped, so its notes are dropped too
  std::vector<Diagnostic> diagnostics_;
};

/// A message to show, with its notes, and how many more of its severity have the same place.
struct DiagnosticGroup {
  std::span<const Diagnostic> parts;
  size_t folded = 0;
  const Diagnostic &front() const { return parts.front(); }
};

/// Returns the messages in the order of their reports. Of those with one severity and one place,
/// which a loop of the text may repeat, three are in the list, and the third counts the others.
/// Those without a place in a text are all in it. The spans are valid as long as `diagnostics`.
std::vector<DiagnosticGroup> foldedGroups(const Diagnostics &diagnostics);
/// Says what a group left out: "and 96 more like this"; empty: nothing.
std::string foldedText(const DiagnosticGroup &group);

/// Returns "file:line:column: error: message", the source line, a caret line, and the hint.
std::string renderDiagnostic(const Diagnostic &diagnostic);
/// Returns the folded diagnostics in the order of their reports, then a line with the number of
/// errors that were not kept. `origin` ("mpfc: ") is printed before a diagnostic without a place in
/// a text.
std::string renderDiagnostics(const Diagnostics &diagnostics, std::string_view origin = "");

} // namespace mpf

#include "dsl/source/diagnostic.h"

#include "dsl/support/text/shown_text.h"

#include <algorithm>
#include <string_view>

namespace mpf {

namespace {

/// Longer lines (tables of a megabyte) are shown as a window around the caret.
constexpr size_t kMaxLineShown = 120;

const char *severityWord(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Performance:
    return "performance warning";
  case Severity::Note:
    break;
  }
  return "note";
}

std::string renderCaret(const SourceBuffer &buffer, SourceRange range) {
  const std::string_view whole = buffer.lineAt(range.begin);
  const size_t column = std::min<size_t>(buffer.locate(range.begin).column - 1, whole.size());
  const size_t first =
      column > kMaxLineShown / 2 && whole.size() > kMaxLineShown ? column - kMaxLineShown / 2 : 0;
  const std::string_view shown = whole.substr(first, kMaxLineShown);
  const size_t caretAt = column - first, caretEnd = caretAt + range.end - range.begin;
  std::string line, caret, rest;
  forEachShown(shown, "\t", [&](size_t at, std::string_view character) {
    line += character;
    if (at < caretAt)
      caret += character == "\t" ? '\t' : ' ';
    else if (at > caretAt && at < caretEnd)
      rest += '~';
  });
  return fmt::format("  {}\n  {}^{}\n", line, caret, rest);
}

std::string countText(const Diagnostics &diagnostics, size_t count, const char *more) {
  return fmt::format("{}{} {}error{}", diagnostics.full() ? "at least " : "", count, more,
                     count == 1 ? "" : "s");
}

} // namespace

void Diagnostics::report(Diagnostic diagnostic) {
  if (diagnostic.severity == Severity::Error) {
    ++errorCount_;
    dropping_ = errorCount_ > kept_;
  }
  const bool belongsToDropped = dropping_ && (diagnostic.severity == Severity::Error ||
                                              diagnostic.severity == Severity::Note);
  if (!belongsToDropped)
    diagnostics_.push_back(std::move(diagnostic));
}

void Diagnostics::append(const Diagnostics &found) {
  for (const Diagnostic &diagnostic : found.diagnostics_)
    report(diagnostic);
  errorCount_ += found.errorCount_ - std::min(found.errorCount_, found.kept_);
}

std::string Diagnostics::shownCount() const { return countText(*this, errorCount_, ""); }

std::string renderDiagnostic(const Diagnostic &diagnostic) {
  const SourceBuffer *buffer = diagnostic.place.buffer.get();
  std::string text;
  if (buffer) {
    const LineColumn at = buffer->locate(diagnostic.place.range.begin);
    text = fmt::format("{}:{}:{}: ", withoutControls(buffer->name()), at.line, at.column);
  }
  text += fmt::format("{}: {}\n", severityWord(diagnostic.severity),
                      withoutControls(diagnostic.message, "\t"));
  if (buffer)
    text += renderCaret(*buffer, diagnostic.place.range);
  if (!diagnostic.hint.empty())
    text += fmt::format("  hint: {}\n", withoutControls(diagnostic.hint, "\t"));
  return text;
}

std::string renderDiagnostics(const Diagnostics &diagnostics, std::string_view origin) {
  std::string text;
  size_t shown = 0;
  for (const Diagnostic &diagnostic : diagnostics.all()) {
    if (!diagnostic.place.buffer)
      text += origin;
    text += renderDiagnostic(diagnostic);
    shown += diagnostic.severity == Severity::Error;
  }
  if (const size_t rest = diagnostics.errorCount() - shown; rest != 0)
    text += fmt::format("{} not shown\n", countText(diagnostics, rest, "more "));
  return text;
}

} // namespace mpf

#include "dsl/source/diagnostic.h"

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

/// Returns a text with '?' for control characters: messages quote texts, and control characters
/// could steer a terminal or end the line.
std::string withoutControls(std::string text) {
  std::replace_if(
      text.begin(), text.end(),
      [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\t'; }, '?');
  return text;
}

std::string renderCaret(const SourceBuffer &buffer, SourceRange range) {
  const std::string_view whole = buffer.lineAt(range.begin);
  const size_t column = std::min<size_t>(buffer.locate(range.begin).column - 1, whole.size());
  const size_t first =
      column > kMaxLineShown / 2 && whole.size() > kMaxLineShown ? column - kMaxLineShown / 2 : 0;
  const std::string_view shown = whole.substr(first, kMaxLineShown);
  std::string line, caret;
  for (size_t i = 0; i < shown.size(); ++i) {
    const auto byte = static_cast<unsigned char>(shown[i]);
    line += byte == '\t' || byte >= 0x20 ? shown[i] : '?';
    if (i < column - first)
      caret += byte == '\t' ? '\t' : ' ';
  }
  const size_t width = range.end > range.begin ? range.end - range.begin : 1;
  const size_t room = shown.size() > column - first ? shown.size() - (column - first) : 1;
  caret += '^';
  caret.append(std::min(width, room) - 1, '~');
  return fmt::format("  {}\n  {}\n", line, caret);
}

} // namespace

void Diagnostics::report(Diagnostic diagnostic) {
  if (diagnostic.severity == Severity::Error) {
    ++errorCount_;
    dropping_ = full();
  }
  const bool belongsToDropped = dropping_ && (diagnostic.severity == Severity::Error ||
                                              diagnostic.severity == Severity::Note);
  if (!belongsToDropped)
    diagnostics_.push_back(std::move(diagnostic));
}

std::string renderDiagnostic(const Diagnostic &diagnostic) {
  const SourceBuffer *buffer = diagnostic.place.buffer.get();
  std::string text;
  if (buffer) {
    const LineColumn at = buffer->locate(diagnostic.place.range.begin);
    text = fmt::format("{}:{}:{}: ", buffer->name(), at.line, at.column);
  }
  text += fmt::format("{}: {}\n", severityWord(diagnostic.severity),
                      withoutControls(diagnostic.message));
  if (buffer)
    text += renderCaret(*buffer, diagnostic.place.range);
  if (!diagnostic.hint.empty())
    text += fmt::format("  hint: {}\n", diagnostic.hint);
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
  if (diagnostics.errorCount() > shown)
    text += fmt::format("{} more errors not shown\n", diagnostics.errorCount() - shown);
  return text;
}

} // namespace mpf

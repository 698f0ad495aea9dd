#include "dsl/source/diagnostic.h"

#include "dsl/support/text/shown_text.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

namespace mpf {

namespace {

/// Longer lines (tables of a megabyte) are shown as a window around the caret.
constexpr size_t kMaxLineShown = 120;
/// Messages of one severity and one place that are shown, before they are folded.
constexpr size_t kShownOfPlace = 3;

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

std::string Diagnostics::notKept() const {
  const auto kept =
      static_cast<size_t>(std::ranges::count(diagnostics_, Severity::Error, &Diagnostic::severity));
  return kept == errorCount_ ? "" : countText(*this, errorCount_ - kept, "more ") + " not shown";
}

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

std::vector<DiagnosticGroup> foldedGroups(const Diagnostics &diagnostics) {
  std::vector<DiagnosticGroup> groups;
  struct AtPlace {
    size_t count = 0, last = 0; ///< messages; the last group that shows one
  };
  std::map<std::tuple<Severity, const SourceBuffer *, uint32_t, uint32_t>, AtPlace> places;
  const std::span<const Diagnostic> all = diagnostics.all();
  for (size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    for (end = begin + 1; end < all.size() && all[end].severity == Severity::Note; ++end) {
    }
    const auto &[severity, place, message, hint] = all[begin];
    AtPlace *const at =
        place.buffer ? &places[{severity, place.buffer.get(), place.range.begin, place.range.end}]
                     : nullptr;
    if (at != nullptr && ++at->count > kShownOfPlace) {
      ++groups[at->last].folded;
      continue;
    }
    if (at != nullptr)
      at->last = groups.size();
    groups.push_back({all.subspan(begin, end - begin)});
  }
  return groups;
}

std::string foldedText(const DiagnosticGroup &group) {
  return group.folded == 0 ? "" : fmt::format("and {} more like this", group.folded);
}

std::string renderDiagnostics(const Diagnostics &diagnostics, std::string_view origin) {
  std::string text;
  for (const DiagnosticGroup &group : foldedGroups(diagnostics)) {
    for (const Diagnostic &diagnostic : group.parts) {
      if (!diagnostic.place.buffer)
        text += origin;
      text += renderDiagnostic(diagnostic);
    }
    if (const std::string rest = foldedText(group); !rest.empty())
      text += fmt::format("  {}\n", rest);
  }
  if (const std::string rest = diagnostics.notKept(); !rest.empty())
    text += rest + '\n';
  return text;
}

} // namespace mpf

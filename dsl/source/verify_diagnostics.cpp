#include "dsl/source/verify_diagnostics.h"

#include "dsl/support/number_text.h"

#include <optional>
#include <string_view>
#include <vector>

namespace mpf {

namespace {

struct Expectation {
  Severity severity = Severity::Error;
  std::optional<uint32_t> line; ///< none: anywhere
  uint32_t commentLine = 0;
  std::string text;
  bool met = false;
};

struct Expectations {
  std::vector<Expectation> all;
  bool noneExpected = false; ///< `expected-no-diagnostics` was there
  std::string problems;      ///< comments that could not be read
};

constexpr std::string_view kPrefix = "expected-";

constexpr struct {
  std::string_view word;
  Severity severity;
} kKinds[] = {{"error", Severity::Error},
              {"warning", Severity::Warning},
              {"performance", Severity::Performance},
              {"note", Severity::Note}};

std::string_view wordOf(Severity severity) {
  for (const auto &kind : kKinds)
    if (kind.severity == severity)
      return kind.word;
  return "note";
}

bool accept(std::string_view &text, std::string_view prefix) {
  if (!text.starts_with(prefix))
    return false;
  text.remove_prefix(prefix.size());
  return true;
}

/// Reads "", "@+3", "@-1" or "@*" before the braces; returns false for any other text.
bool takeLine(std::string_view &text, Expectation &expectation) {
  if (!accept(text, "@")) {
    expectation.line = expectation.commentLine;
    return true;
  }
  if (accept(text, "*"))
    return true;
  const bool up = accept(text, "-");
  if (!up && !accept(text, "+"))
    return false;
  const size_t digits = text.find_first_not_of("0123456789");
  const std::optional<uint64_t> count = parseUnsigned(text.substr(0, digits));
  if (!count || *count > 1'000'000 || (up && *count >= expectation.commentLine))
    return false;
  const auto distance = static_cast<uint32_t>(*count);
  expectation.line = up ? expectation.commentLine - distance : expectation.commentLine + distance;
  text.remove_prefix(digits == std::string_view::npos ? text.size() : digits);
  return true;
}

/// Returns the expectation after "expected-" in a comment; nothing if it cannot be read.
std::optional<Expectation> parseExpectation(std::string_view &text, uint32_t line) {
  Expectation expectation;
  expectation.commentLine = line;
  bool known = false;
  for (const auto &kind : kKinds) {
    if (!known && accept(text, kind.word)) {
      expectation.severity = kind.severity;
      known = true;
    }
  }
  if (!known || !takeLine(text, expectation))
    return std::nullopt;
  while (accept(text, " ")) {
  }
  if (!accept(text, "{{"))
    return std::nullopt;
  const size_t end = text.find("}}");
  if (end == std::string_view::npos || end == 0)
    return std::nullopt;
  expectation.text = text.substr(0, end);
  text.remove_prefix(end + 2);
  return expectation;
}

Expectations collect(const SourceBuffer &buffer) {
  Expectations found;
  uint32_t line = 0;
  for (size_t start = 0; start < buffer.text().size();) {
    ++line;
    const std::string_view whole = buffer.text().substr(start);
    std::string_view text = whole.substr(0, whole.find('\n'));
    start += text.size() + 1;
    const size_t comment = text.find('#');
    if (comment == std::string_view::npos)
      continue;
    text.remove_prefix(comment);
    for (size_t at = text.find(kPrefix); at != std::string_view::npos; at = text.find(kPrefix)) {
      text.remove_prefix(at + kPrefix.size());
      if (accept(text, "no-diagnostics")) {
        found.noneExpected = true;
      } else if (auto expectation = parseExpectation(text, line)) {
        found.all.push_back(std::move(*expectation));
      } else {
        found.problems += fmt::format("{}:{}: cannot read this expectation; write "
                                      "expected-error@+1 {{{{text}}}}\n",
                                      buffer.name(), line);
      }
    }
  }
  return found;
}

bool matches(const Expectation &expectation, const Diagnostic &diagnostic,
             const SourceBuffer &buffer) {
  if (expectation.met || expectation.severity != diagnostic.severity)
    return false;
  if (expectation.line) {
    const SourcePlace &place = diagnostic.place;
    if (place.buffer.get() != &buffer || buffer.locate(place.range.begin).line != *expectation.line)
      return false;
  }
  return diagnostic.message.find(expectation.text) != std::string::npos ||
         diagnostic.hint.find(expectation.text) != std::string::npos;
}

} // namespace

std::string verifyDiagnostics(const SourceBuffer &buffer, const Diagnostics &diagnostics) {
  Expectations expected = collect(buffer);
  std::string report = expected.problems;
  if (expected.all.empty() && !expected.noneExpected && report.empty())
    report += fmt::format("{}: no expectation in the file; when nothing may be reported, say "
                          "'# expected-no-diagnostics'\n",
                          buffer.name());
  if (!expected.all.empty() && expected.noneExpected)
    report += fmt::format("{}: both expected-no-diagnostics and {} expectations\n", buffer.name(),
                          expected.all.size());
  for (const Diagnostic &diagnostic : diagnostics.all()) {
    bool met = false;
    for (Expectation &expectation : expected.all) {
      if (!met && matches(expectation, diagnostic, buffer))
        met = expectation.met = true;
    }
    if (!met)
      report += "unexpected: " + renderDiagnostic(diagnostic);
  }
  for (const Expectation &expectation : expected.all) {
    if (!expectation.met)
      report += fmt::format("{}:{}: expected {} not reported{}: {}\n", buffer.name(),
                            expectation.commentLine, wordOf(expectation.severity),
                            expectation.line ? fmt::format(" on line {}", *expectation.line) : "",
                            expectation.text);
  }
  return report;
}

} // namespace mpf

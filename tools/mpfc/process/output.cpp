#include "tools/mpfc/process/output.h"

#include "dsl/support/check.h"
#include "dsl/support/files/file_output.h"
#include "dsl/support/text/shown_text.h"
#include "tools/mpfc/process/write_stdout.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <iostream>
#include <iterator>
#include <mutex>
#include <new>
#include <unistd.h>
#include <utility>

namespace mpf::driver {

namespace {

MessageStyle messageStyle;
std::mutex stderrMutex;                          ///< guards isLineThere and the order of texts
bool isLineThere = false;                        ///< a line of sayLine is the last text on stderr
constexpr const char *kStartOfLine = "\r\x1b[K"; ///< and erases it

/// Whether a message is a note or a warning of mpfc.
bool isRemark(std::string_view text) {
  constexpr std::string_view kRemarks[] = {
      "mpfc: note:", "mpfc: warning:", "mpfc: performance warning:"};
  return std::ranges::any_of(kRemarks,
                             [&](std::string_view begin) { return text.starts_with(begin); });
}

/// Colours the first of the words error, warning, note and hint in each line.
std::string colored(std::string_view text) {
  constexpr std::pair<std::string_view, std::string_view> kColors[] = {{"error:", "\x1b[1;31m"},
                                                                       {"warning:", "\x1b[1;35m"},
                                                                       {"note:", "\x1b[1;36m"},
                                                                       {"hint:", "\x1b[1;32m"}};
  std::string out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end);
    size_t first = std::string_view::npos, length = 0;
    std::string_view color;
    for (const auto &[word, code] : kColors)
      if (const size_t at = line.find(word); at < first && (at == 0 || line[at - 1] == ' ')) {
        first = at;
        length = word.size();
        color = code;
      }
    if (first == std::string_view::npos)
      out += line;
    else
      out += fmt::format("{}{}{}\x1b[0m{}", line.substr(0, first), color,
                         line.substr(first, length), line.substr(first + length));
  }
  return out;
}

/// Takes the line of sayLine away. Precondition: stderrMutex is held.
void eraseLocked() noexcept {
  if (std::exchange(isLineThere, false))
    std::fputs(kStartOfLine, stderr);
}

} // namespace

void setMessages(MessageStyle style) { messageStyle = style; }

MessagePause::MessagePause() : before_(messageStyle) { messageStyle.isQuiet = true; }

MessagePause::~MessagePause() { messageStyle = before_; }

bool wantsColor(When when) {
  if (when != When::Auto)
    return when == When::Always;
  const char *const noColor = std::getenv("NO_COLOR");
  const char *const terminal = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) == 1 && (noColor == nullptr || *noColor == 0) &&
         terminal != nullptr && std::string_view(terminal) != "dumb";
}

void writeResult(const Options &options, const std::string &text) {
  writeText(options.output, text);
}

void writeText(const std::string &path, const std::string &text) {
  if (path.empty() || path == "-")
    writeToStdout(text);
  else
    writeFile(path, text);
}

bool goesToTerminal(const std::string &path) {
  return (path.empty() || path == "-") && ::isatty(STDOUT_FILENO) == 1;
}

void finishStdout() {
  std::cout.flush();
  if (!std::cout || std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    fail(ErrorKind::BadInput, "cannot write to stdout: {}", std::strerror(errno));
}

void sayFormatted(fmt::string_view format, fmt::format_args arguments) noexcept {
  try {
    fmt::memory_buffer text, shown; // withoutControls would need memory
    fmt::vformat_to(std::back_inserter(text), format, arguments);
    forEachShown({text.data(), text.size()}, "\n\t",
                 [&shown](size_t, std::string_view character) { shown.append(character); });
    const std::string_view plain(shown.data(), shown.size());
    if (messageStyle.isQuiet && isRemark(plain))
      return;
    const std::string inColors = messageStyle.isColored ? colored(plain) : std::string();
    const std::string_view printed = messageStyle.isColored ? inColors : plain;
    const std::lock_guard lock(stderrMutex);
    eraseLocked();
    std::fwrite(printed.data(), 1, printed.size(), stderr);
  } catch (const std::bad_alloc &) {
    std::fputs("mpfc: error: the machine is out of memory\n", stderr);
  }
}

void sayLine(const std::string &line) noexcept {
  const std::lock_guard lock(stderrMutex);
  isLineThere = true;
  std::fputs(kStartOfLine, stderr);
  std::fputs(line.c_str(), stderr);
}

void eraseLine() noexcept {
  const std::lock_guard lock(stderrMutex);
  eraseLocked();
}

std::string counted(uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

void printDiagnostics(const Diagnostics &diagnostics) {
  if (!messageStyle.isQuiet)
    say("{}", renderDiagnostics(diagnostics, "mpfc: "));
  else
    for (const DiagnosticGroup &group : foldedGroups(diagnostics))
      if (group.front().severity == Severity::Error)
        say("{}{}", renderDiagnostic(group.front()),
            group.folded == 0 ? "" : fmt::format("  {}\n", foldedText(group)));
  if (diagnostics.hasErrors())
    fail(ErrorKind::BadInput, "{} in the input", diagnostics.shownCount());
}

} // namespace mpf::driver

// Output of mpfc: results go to stdout or -o, everything else to stderr.
#pragma once

#include "dsl/source/diagnostic.h"
#include "tools/mpfc/options/options.h"

#include <cstdint>
#include <fmt/core.h>
#include <string>
#include <string_view>

namespace mpf::driver {

/// Writes a command's result to -o (whole or not at all) or to stdout. Throws Error(BadInput) when
/// that fails, also for a closed pipe or a full disk.
void writeResult(const Options &options, const std::string &text);
/// Writes to a file, or to stdout if the path is empty or "-". Throws likewise.
void writeText(const std::string &path, const std::string &text);

/// Whether writeText shows a text of this path on a terminal.
bool goesToTerminal(const std::string &path);

/// Flushes stdout. Throws Error(BadInput) if not everything could be written, for example on a full
/// disk.
void finishStdout();

/// How messages to stderr are printed.
struct MessageStyle {
  bool isQuiet = false;   ///< notes and warnings are left out
  bool isColored = false; ///< the words error, warning, note and hint have colours
};

/// Sets the style of all further messages. Not thread-safe: call it before threads start.
void setMessages(MessageStyle style);
/// Leaves notes and warnings out while it lives. Not thread-safe, as setMessages.
class MessagePause {
public:
  MessagePause();
  MessagePause(const MessagePause &) = delete;
  MessagePause &operator=(const MessagePause &) = delete;
  ~MessagePause();

private:
  const MessageStyle before_;
};
/// Whether stderr has colours: Auto looks at the terminal, NO_COLOR and TERM.
bool wantsColor(When when);

/// Implements say.
void sayFormatted(fmt::string_view format, fmt::format_args arguments) noexcept;

/// Prints a message to stderr, with '?' for control characters (shown_text.h) that a name or a text
/// in it may hold; ignores errors (stderr closed or full). Texts of up to 500 bytes
/// need no memory. If there is no memory for a longer one, only a note about that is printed.
template <class... Args> void say(fmt::format_string<Args...> format, Args &&...args) noexcept {
  sayFormatted(format, fmt::make_format_args(args...));
}

/// Prints a line on stderr that the next message, or eraseLine, takes away. Thread-safe.
void sayLine(const std::string &line) noexcept;
/// Takes the line away that sayLine printed last, if it is still there.
void eraseLine() noexcept;

/// Returns a number with its noun: "1 kernel", "2 kernels".
std::string counted(uint64_t count, std::string_view one, std::string_view many);

/// Prints all diagnostics to stderr. If there are errors, throws Error(BadInput) with their number.
void printDiagnostics(const Diagnostics &diagnostics);

} // namespace mpf::driver

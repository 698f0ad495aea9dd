// Describes for people why a command line does not parse: the option's name and what it expects.
#pragma once

#include <span>
#include <string>

namespace CLI {
class App;
class ParseError;
} // namespace CLI

namespace mpf::driver {

/// Returns one sentence without a full stop. `app` has parsed `words`, in the order in which they
/// were typed, up to `error`.
std::string usageText(const CLI::App &app, const CLI::ParseError &error,
                      std::span<const std::string> words);

/// Describes a first word that is neither an option nor a command of `app`; names the nearest
/// command, and all of them.
std::string unknownCommandText(const CLI::App &app, const std::string &word);

} // namespace mpf::driver

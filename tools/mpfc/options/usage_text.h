// A command line that does not parse, in words for people: the option's name and what is expected.
#pragma once

#include <span>
#include <string>

namespace CLI {
class App;
class ParseError;
} // namespace CLI

namespace mpf::driver {

/// One sentence, without a full stop. `app` has parsed `words` (in the order in which they were
/// typed) as far as `error`.
std::string usageText(const CLI::App &app, const CLI::ParseError &error,
                      std::span<const std::string> words);

} // namespace mpf::driver

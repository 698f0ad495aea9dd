// Options of mpf-bench that take several words.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace mpf::bench {

/// Adds an option of words with commas between them. If `known` is not empty, other words are
/// refused.
void addList(CLI::App &command, const char *name, std::vector<std::string> &values,
             const std::vector<std::string> &known, const char *text);

} // namespace mpf::bench

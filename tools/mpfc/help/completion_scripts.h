// The scripts that complete mpfc's words in a shell. Each asks `mpfc __complete` what may stand
// there (complete_words.h), so that it knows what the program knows.
#pragma once

#include <string_view>

namespace mpf::driver {

/// The script of "bash", "zsh" or "fish".
std::string_view completionScript(std::string_view shell);

} // namespace mpf::driver

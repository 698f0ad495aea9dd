// The words that may stand at the cursor: the answers of `mpfc __complete` to the scripts of
// shells.
#pragma once

#include <span>
#include <string>

namespace mpf::driver {

/// `words` are those behind `mpfc`, the last of them begins in front of the cursor and may be
/// empty. Returns a line for each word that may take its place, with a tab and what it means. The
/// line
/// ":files", or ":folders", stands for names of files, or folders. A model whose names are needed
/// is read, if it is a file of at most 4 MiB; one with errors has no names. Throws nothing about
/// it.
std::string completions(std::span<const std::string> words);

} // namespace mpf::driver

// Comments in which a CUDA text describes its own kernels for a later reader. Each line begins with
// a mark; the rest is the text form of the plan or program that the kernels were made from.
//
//   //: kernel tile_0123456789abcdef
//   //:   family tile
#pragma once

#include <string>
#include <string_view>

namespace mpf {

/// Returns the lines of `text`, each with the mark in front.
std::string markLines(std::string_view text);

/// Whether the text has marked lines, sound or not.
bool hasMarkedLines(std::string_view cudaText);

/// Returns the marked lines of a text at their places: blanks replace the marks, and all other
/// lines are empty.
std::string markedLines(std::string_view cudaText);

} // namespace mpf

// What a CUDA text says of its own kernels, for whoever reads it: lines of comments that begin with
// a mark, in the text form of the stage that the kernels were made of.
//
//   //: kernel tile_0123456789abcdef
//   //:   family tile
#pragma once

#include <string>
#include <string_view>

namespace mpf {

/// The lines of `text`, each behind the mark.
std::string markLines(std::string_view text);

/// Whether the text has such lines, sound or not.
bool hasMarkedLines(std::string_view cudaText);

/// The marked lines of a text without their marks, in their places: blanks stand for a mark, and
/// the other lines stay, empty.
std::string markedLines(std::string_view cudaText);

} // namespace mpf

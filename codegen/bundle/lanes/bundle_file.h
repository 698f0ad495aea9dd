// .mpfb files of both kinds: a bundle (../bundle.h), which answers one case in a run, or a lane
// program, which answers lists of cases. A file of a lane program holds its text
// (print_lane_program.h) and, apart from it, the entries of its values as they lie in memory, in
// the sections of ../section.h.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/bundle/lanes/lane_program.h"

#include <string>
#include <string_view>
#include <variant>

namespace mpf {

/// The bytes of a file. Byte-identical for equal programs.
std::string serializeLanes(const LaneProgram &program);

/// Writes beside `path` and renames: readers never see half a file. Throws Error(BadInput).
void writeLanes(const std::string &path, const LaneProgram &program);

/// Whether a file, or the contents of one, holds a lane program. Only its begin is read. Throw
/// Error(BadInput) for files of another kind.
bool isLaneFile(const std::string &path);
bool areLaneBytes(std::string_view file);

using BundleFile = std::variant<Bundle, LaneProgram>;

/// Reads and verifies (verifyBundle, verifyLaneProgram). Throws Error(BadInput), with the place and
/// both numbers, for anything that is not one whole, undamaged file of this version. Memory is
/// bounded as in parseBundle. `file` is the contents of a file; nothing refers to it afterwards.
BundleFile parseBundleFile(std::string_view file);
/// The same for a file, which is read once; Error(BadInput) also if it cannot be read.
BundleFile readBundleFile(const std::string &path);

} // namespace mpf

// Functions for the folder of a supervised program (supervise_child.h). They run between fork and
// exec, so they allocate nothing and take no locks (signal-safety(7)).
#pragma once

#include <cstdint>

namespace mpf {

/// Copies the plain file `name` of `folder` to the start of the descriptor `into`. Returns false
/// when there is no such plain file, when it is larger than `mostBytes`, or when it cannot be
/// copied.
bool copyResult(const char *folder, const char *name, int into, uint64_t mostBytes);

/// Removes the folder and its contents, up to three folders deep (compilers make no folders).
void removeFolder(const char *path);

} // namespace mpf

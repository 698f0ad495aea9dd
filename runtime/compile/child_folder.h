// The folder of a supervised program, handled between fork and exec: nothing is allocated, no locks
// are taken (signal-safety(7)).
#pragma once

#include <cstdint>

namespace mpf {

/// Copies the plain file `name` of `folder` to the descriptor `into`, from its start. False where
/// it is none, is larger than `mostBytes`, or cannot be copied.
bool copyResult(const char *folder, const char *name, int into, uint64_t mostBytes);

/// Removes the folder and what is in it, three folders deep: compilers make none.
void removeFolder(const char *path);

} // namespace mpf

// A file in memory. Its descriptor is above 2 (stderr) and is closed when a child process executes
// another program.
#pragma once

#include "dsl/support/system/file_descriptor.h"

#include <string>
#include <string_view>

namespace mpf {

/// The file is open as long as the object exists. Movable; several threads may read it.
class MemoryFile {
public:
  /// Creates a file with these contents, positioned at its start. Throws Error(Device) when there
  /// is no memory for it.
  explicit MemoryFile(std::string_view contents = {});

  int descriptor() const { return file_.number(); }
  /// Returns the first bytes of the file, at most `mostBytes`. Throws Error(Device) if they cannot
  /// be read.
  std::string start(size_t mostBytes) const;
  /// Returns the current contents of the file. Throws Error(Device) if they cannot be read.
  std::string contents() const;

private:
  FileDescriptor file_;
};

} // namespace mpf

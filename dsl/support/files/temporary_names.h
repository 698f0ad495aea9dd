// The names of temporary files that exist at this moment, so that a process can remove them when a
// signal or a time limit ends it.
#pragma once

#include <string>

namespace mpf {

/// Registers a name for as long as it lives. Register before the file is made, and move or remove
/// the file (rename, unlink) before the object ends: a name without a file does no harm. If all
/// places are taken, the name is not registered, and a signal may leave the file.
class TemporaryName {
public:
  /// `folder`: a descriptor of the folder, open as long as this object lives.
  TemporaryName(int folder, const std::string &name) noexcept;
  ~TemporaryName();
  TemporaryName(const TemporaryName &) = delete;
  TemporaryName &operator=(const TemporaryName &) = delete;

private:
  int place_ = -1;
};

/// Removes the files of all registered names. May be called in a signal handler and while other
/// threads work; for a process that is about to end.
void removeTemporaryFiles() noexcept;

} // namespace mpf

// Which files and folders mpf trusts: those that only this user and root can write to
// (runtime/TRUST.md). All code that believes or runs a file checks here.
#pragma once

#include "dsl/support/system/file_descriptor.h"

#include <string>
#include <string_view>

namespace mpf {

enum class PathKind { File, Folder };
enum class PathTrust { Full, Missing, OtherKind, Foreign, Open, Unreadable };

/// A file or folder that is checked and held open. Reads and writes through this object reach the
/// checked one, even if the path leads to another one meanwhile. Not copyable; threads may share
/// one.
class TrustedPath {
public:
  /// If `path` itself is a link, it is not followed and counts as OtherKind. Throws no Error.
  TrustedPath(const std::string &path, PathKind kind);

  PathTrust trust() const { return trust_; }
  bool isTrusted() const { return trust_ == PathTrust::Full; }
  /// Returns why it is not trusted, as the end of a sentence: "its group or others can write to
  /// it". Empty: it is trusted.
  std::string_view reason() const;
  /// Returns a command that makes it trusted: "chmod go-w NAME", where `name` is its name for the
  /// user. Empty: no simple command does.
  std::string remedy(const std::string &name) const;
  /// Returns a path that leads to the checked file or folder as long as this object exists, even if
  /// the original path changes. It must be trusted.
  std::string heldPath() const;
  int descriptor() const { return file_.number(); }

private:
  PathKind kind_;
  FileDescriptor file_;
  PathTrust trust_;
};

/// Throws Error(BadInput) if `place`, which the user knows as `name`, is not trusted. Call it for
/// places whose contents are compiled and run.
void requireTrust(const TrustedPath &place, const std::string &name);

/// A program or library, found once and held open. The owner of a link or a folder on its path
/// could exchange the file between a check and a use. Not copyable.
class TrustedProgram {
public:
  /// Follows links. Throws no Error.
  explicit TrustedProgram(const std::string &path);

  /// Returns why it must not be run or loaded, as the end of a sentence; empty: it may be. The file
  /// must belong to this user or root, and no other user may be able to write to it. Its folder
  /// must satisfy keepsFiles.
  const std::string &fault() const { return fault_; }
  bool isTrusted() const { return fault_.empty(); }
  /// Returns its path without links. Opening it again through this path trusts the folders above
  /// its folder.
  const std::string &realPath() const { return real_; }
  /// Returns a descriptor of the checked file, to run it through /proc/self/fd/N (execve) even if
  /// its path changes.
  int descriptor() const { return file_.number(); }

private:
  std::string findFault();

  std::string real_;
  FileDescriptor file_;
  std::string fault_;
};

/// Whether other users cannot move or remove files that this user makes in the folder. The folder
/// must belong to this user or root. Either no other user can write to it, or it has the sticky
/// bit, as /tmp has.
bool keepsFiles(const std::string &folder);

} // namespace mpf

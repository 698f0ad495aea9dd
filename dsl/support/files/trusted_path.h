// Which files and folders mpf trusts: those that only this user and root can write to (README.md,
// "Trust"). All code that believes or runs a file asks here.
#pragma once

#include "dsl/support/system/file_descriptor.h"

#include <string>
#include <string_view>

namespace mpf {

enum class PathKind { File, Folder };
enum class PathTrust { Full, Missing, OtherKind, Foreign, Open, Unreadable };

/// A file or folder that is checked and held open. Reads and writes through this object go to the
/// checked one, even if the path leads to another one meanwhile. Not copyable; threads may share
/// one.
class TrustedPath {
public:
  /// If `path` itself is a link, it is not followed and counts as OtherKind. Throws no Error.
  TrustedPath(const std::string &path, PathKind kind);

  PathTrust trust() const { return trust_; }
  bool isTrusted() const { return trust_ == PathTrust::Full; }
  /// Why it is not trusted, as the end of a sentence: "its group or others can write to it". Empty:
  /// it is trusted.
  std::string_view reason() const;
  /// A command that makes it trusted, where `name` is its name for the user: "chmod go-w NAME".
  /// Empty: no simple command does.
  std::string remedy(const std::string &name) const;
  /// A path that leads to the checked file or folder as long as this object exists, whatever
  /// happens to the original path. It must be trusted.
  std::string heldPath() const;
  int descriptor() const { return file_.number(); }

private:
  PathKind kind_;
  FileDescriptor file_;
  PathTrust trust_;
};

/// Throws Error(BadInput) if `place`, which the user knows as `name`, is not trusted. For places
/// whose contents are compiled and run.
void requireTrust(const TrustedPath &place, const std::string &name);

/// A program or library, found once and held open, because the owner of a link or a folder on the
/// way to it can exchange what its name leads to between a check and a use. Not copyable.
class TrustedProgram {
public:
  /// Follows links. Throws no Error.
  explicit TrustedProgram(const std::string &path);

  /// Why it must not be run or loaded, as the end of a sentence; empty: it may be. The file must
  /// belong to this user or root, and nobody else can write to it. For its folder keepsFiles must
  /// hold.
  const std::string &fault() const { return fault_; }
  bool isTrusted() const { return fault_.empty(); }
  /// Its path without links. To open it again through this path is to trust the folders above its
  /// own.
  const std::string &realPath() const { return real_; }
  /// For running it whatever its name leads to by then: execve of /proc/self/fd/N.
  int descriptor() const { return file_.number(); }

private:
  std::string findFault();

  std::string real_;
  FileDescriptor file_;
  std::string fault_;
};

/// Whether other users cannot move or remove files that this user makes in the folder. That holds
/// if the folder belongs to this user or root, and either nobody else can write to it or it has the
/// sticky bit, as /tmp has.
bool keepsFiles(const std::string &folder);

} // namespace mpf

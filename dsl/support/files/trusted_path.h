// WHO MAY WRITE what mpf believes or runs: this user and root, nobody else (README.md, "Trust").
// The one place where that is decided.
#pragma once

#include "dsl/support/system/file_descriptor.h"

#include <string>
#include <string_view>

namespace mpf {

enum class PathKind { File, Folder };
enum class PathTrust { Full, Missing, OtherKind, Foreign, Open, Unreadable };

/// A file or folder, held open: reads and writes go to the one that was checked, even if another
/// one is put in its place meanwhile. Not copyable; safe to share between threads.
class TrustedPath {
public:
  /// A link in the place of `path` itself is not followed: it is no file and no folder. Throws
  /// nothing.
  TrustedPath(const std::string &path, PathKind kind);

  PathTrust trust() const { return trust_; }
  bool isTrusted() const { return trust_ == PathTrust::Full; }
  /// "its group or others can write to it": why it is not trusted, as the end of a sentence.
  std::string_view reason() const;
  /// What ends that, for people who know it as `name`: "chmod go-w NAME"; empty where nothing so
  /// simple does.
  std::string remedy(const std::string &name) const;
  /// The same file or folder by a name that nobody can turn, as long as this object is there. Only
  /// of a trusted one.
  std::string heldPath() const;
  int descriptor() const { return file_.number(); }

private:
  PathKind kind_;
  FileDescriptor file_;
  PathTrust trust_;
};

/// Throws Error(BadInput) for a place, known to people as `name`, that is not trusted: what is
/// taken from it is compiled and run.
void requireTrust(const TrustedPath &place, const std::string &name);

/// Why the program or library at `path` is neither run nor loaded, as the end of a sentence; empty:
/// it is. Links are followed; what is at their end, and the folder that holds that, must be this
/// user's or root's, and others can write to neither (in a folder like /tmp, where nobody can move
/// what is another's, they may add files).
std::string programFault(const std::string &path);

/// Whether others can neither move nor remove what this user makes in the folder: it is the user's
/// or root's, and not open to others, or sticky as /tmp is.
bool keepsFiles(const std::string &folder);

} // namespace mpf

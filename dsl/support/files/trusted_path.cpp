#include "dsl/support/files/trusted_path.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <memory>
#include <sys/stat.h>

namespace mpf {

namespace {

bool isOurs(const struct stat &found) { return found.st_uid == ::geteuid() || found.st_uid == 0; }

bool isOpen(const struct stat &found) { return (found.st_mode & (S_IWGRP | S_IWOTH)) != 0; }

PathTrust trustOf(int file, PathKind kind) {
  if (file < 0)
    return errno == ENOENT                      ? PathTrust::Missing
           : errno == ENOTDIR || errno == ELOOP ? PathTrust::OtherKind
                                                : PathTrust::Unreadable;
  struct stat found {};
  if (::fstat(file, &found) != 0)
    return PathTrust::Unreadable;
  if (kind == PathKind::File && !S_ISREG(found.st_mode))
    return PathTrust::OtherKind;
  return !isOurs(found) ? PathTrust::Foreign : isOpen(found) ? PathTrust::Open : PathTrust::Full;
}

int openHeld(const std::string &path, PathKind kind) {
  const int flags = kind == PathKind::Folder ? O_DIRECTORY : 0;
  return ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW | flags);
}

} // namespace

TrustedPath::TrustedPath(const std::string &path, PathKind kind)
    : kind_(kind), file_(openHeld(path, kind)), trust_(trustOf(file_.number(), kind)) {}

std::string_view TrustedPath::reason() const {
  switch (trust_) {
  case PathTrust::Full:
    return "";
  case PathTrust::Missing:
    return "it is not there";
  case PathTrust::OtherKind:
    return kind_ == PathKind::Folder ? "it is a link or no folder" : "it is a link or no file";
  case PathTrust::Foreign:
    return "it belongs to another user";
  case PathTrust::Open:
    return "its group or others can write to it";
  case PathTrust::Unreadable:
    break;
  }
  return "it cannot be opened";
}

std::string TrustedPath::remedy(const std::string &name) const {
  return trust_ == PathTrust::Open ? fmt::format("chmod go-w {}", name) : "";
}

std::string TrustedPath::heldPath() const {
  return fmt::format("/proc/self/fd/{}", file_.number());
}

void requireTrust(const TrustedPath &place, const std::string &name) {
  if (place.isTrusted())
    return;
  const std::string remedy = place.remedy(name);
  fail(ErrorKind::BadInput, "{}: nothing is compiled from here, because {}{}", name, place.reason(),
       remedy.empty() ? "" : fmt::format(": {} ends that", remedy));
}

TrustedProgram::TrustedProgram(const std::string &path) {
  const std::unique_ptr<char, void (*)(void *)> real(::realpath(path.c_str(), nullptr), std::free);
  if (real) {
    real_ = real.get();
    file_ = FileDescriptor(::open(real.get(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
  }
  fault_ = findFault();
}

std::string TrustedProgram::findFault() {
  struct stat found {};
  if (!file_.isOpen() || ::fstat(file_.number(), &found) != 0)
    return "it is not there";
  if (!S_ISREG(found.st_mode))
    return "it is no file";
  if (!isOurs(found))
    return "it belongs to another user";
  if (isOpen(found))
    return "its group or others can write to it";
  const std::string folder = real_.substr(0, std::max<size_t>(1, real_.rfind('/')));
  return keepsFiles(folder) ? "" : fmt::format("others can write to its folder {}", folder);
}

bool keepsFiles(const std::string &folder) {
  struct stat found {};
  return ::stat(folder.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && isOurs(found) &&
         (!isOpen(found) || (found.st_mode & S_ISVTX) != 0);
}

} // namespace mpf

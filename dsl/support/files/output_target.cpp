#include "dsl/support/files/output_target.h"

#include "dsl/support/check.h"

#include <cerrno>
#include <charconv>
#include <climits>
#include <cstring>
#include <unistd.h>

namespace mpf {

namespace {

constexpr int kMostLinks = 40; ///< equals the kernel's limit

bool isSame(const std::string &a, const std::string &b) {
  struct stat first {
  }, second{};
  return ::stat(a.c_str(), &first) == 0 && ::stat(b.c_str(), &second) == 0 &&
         first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

std::optional<int> numberOf(const std::string &name) {
  int number = 0;
  const char *end = name.data() + name.size();
  const auto [at, problem] = std::from_chars(name.data(), end, number);
  return problem == std::errc() && at == end ? std::optional(number) : std::nullopt;
}

std::string namedBy(const std::string &link, const std::string &path) {
  std::string named(PATH_MAX, '\0');
  const ssize_t count = ::readlink(link.c_str(), named.data(), named.size());
  if (count < 0)
    failToWrite(path, errno);
  named.resize(static_cast<size_t>(count));
  return named;
}

} // namespace

std::string OutputTarget::folder() const {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

std::string OutputTarget::name() const { return path.substr(path.rfind('/') + 1); }

void failToWrite(const std::string &path, int problem) {
  fail(ErrorKind::BadInput, "{}: cannot be written: {}", path, std::strerror(problem));
}

OutputTarget findOutputTarget(const std::string &path) {
  if (path.empty())
    failToWrite(path, ENOENT);
  OutputTarget target{path, {}, {}};
  struct stat link {};
  for (int links = 0; ::lstat(target.path.c_str(), &link) == 0 && S_ISLNK(link.st_mode); ++links) {
    if (links == kMostLinks)
      failToWrite(path, ELOOP);
    if (isSame(target.folder(), "/proc/self/fd")) {
      target.descriptor = numberOf(target.name());
      return target;
    }
    if (link.st_uid != ::geteuid() && link.st_uid != 0)
      fail(ErrorKind::BadInput, "{}: is not written: {} is a link that another user made", path,
           target.path);
    const std::string named = namedBy(target.path, path);
    target.path = named.starts_with('/') ? named : target.folder() + "/" + named;
  }
  struct stat found {};
  if (::stat(target.path.c_str(), &found) == 0)
    target.status = found;
  else if (errno != ENOENT)
    failToWrite(path, errno);
  if (target.status && S_ISDIR(target.status->st_mode))
    failToWrite(path, EISDIR);
  return target;
}

} // namespace mpf

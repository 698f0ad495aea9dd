#include "dsl/support/files/file_output.h"

#include "dsl/support/error.h"
#include "dsl/support/files/output_target.h"
#include "dsl/support/files/random_name.h"
#include "dsl/support/system/blocked_signals.h"
#include "dsl/support/system/file_descriptor.h"

#include <cerrno>
#include <fcntl.h>

namespace mpf {

namespace {

constexpr useconds_t kReaderPollUs = 20'000;

/// No longer than any file system takes.
std::string temporaryName() { return fmt::format("{}{}", kTemporaryPrefix, randomName()); }

/// One writeFile: every error names the path that the caller knows.
class Writing {
public:
  Writing(const std::string &path, std::string_view contents, const WriteOptions &options)
      : path_(path), target_(findOutputTarget(path)), contents_(contents), options_(options) {}

  void run() const {
    if (target_.descriptor)
      writeAll(*target_.descriptor);
    else if (target_.isSpecial())
      writeDirectly();
    else
      replace();
  }

private:
  void require(bool worked) const {
    if (!worked)
      failToWrite(path_, errno);
  }

  void writeAll(int file) const {
    for (std::string_view rest = contents_; !rest.empty();) {
      const ssize_t count = ::write(file, rest.data(), rest.size());
      if (count < 0 && errno == EINTR)
        continue;
      require(count >= 0);
      rest.remove_prefix(static_cast<size_t>(count));
    }
  }

  /// Opens without waiting, and a pipe only where somebody reads.
  void writeDirectly() const {
    FileDescriptor file;
    for (int waitedUs = 0; !file.isOpen(); waitedUs += kReaderPollUs) {
      file = FileDescriptor(
          ::open(target_.path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
      if (file.isOpen())
        break;
      require(errno == ENXIO && S_ISFIFO(target_.status->st_mode));
      if (waitedUs >= kPipeReaderWaitSeconds * 1'000'000)
        fail(ErrorKind::BadInput, "{}: is a pipe that nobody has read from for {} seconds", path_,
             kPipeReaderWaitSeconds);
      ::usleep(kReaderPollUs);
    }
    require(::fcntl(file.number(), F_SETFL, 0) == 0); // from here on it may take its time
    writeAll(file.number());
    require(file.close());
  }

  void replace() const {
    const FileDescriptor folder(
        ::open(target_.folder().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    require(folder.isOpen());
    const std::string name = target_.name();
    if (target_.status) // a file that may not be written could still be replaced
      require(::faccessat(folder.number(), name.c_str(), W_OK, AT_EACCESS) == 0);
    std::string temporary; // a name to be removed or moved into place; empty: none yet
    FileDescriptor file = openTemporary(folder.number(), temporary);
    try {
      fill(file.number());
      // A nameless file has a name for no longer than it must: a kill in between would leave it.
      const bool nameless = temporary.empty();
      const bool placed = nameless && place(folder.number(), file.number(), name, temporary);
      if (!nameless)
        require(file.close());
      if (!placed)
        require(::renameat(folder.number(), temporary.c_str(), folder.number(), name.c_str()) == 0);
      temporary.clear();
      require(file.close());
    } catch (...) {
      if (!temporary.empty())
        ::unlinkat(folder.number(), temporary.c_str(), 0);
      throw;
    }
    if (!options_.expendable)
      ::fsync(folder.number()); // file systems that cannot sync folders say so: nothing is lost
  }

  /// Without a name where the file system has such files and /proc can name them later.
  FileDescriptor openTemporary(int folder, std::string &name) const {
    const mode_t mode = options_.ownerOnly ? 0600 : 0666;
    FileDescriptor file;
    if (::access("/proc/self/fd", X_OK) == 0)
      file = FileDescriptor(::openat(folder, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, mode));
    if (!file.isOpen()) {
      name = temporaryName();
      file = FileDescriptor(::openat(folder, name.c_str(),
                                     O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
      require(file.isOpen());
    }
    return file;
  }

  void fill(int file) const {
    if (const auto &before = target_.status) {
      // Others' files stay theirs where we may give files away, else at least their group's.
      const bool isOurs = before->st_uid == ::geteuid() && before->st_gid == ::getegid();
      const bool given = isOurs || ::fchown(file, before->st_uid, before->st_gid) == 0 ||
                         ::fchown(file, static_cast<uid_t>(-1), before->st_gid) == 0;
      // A group that the file was not meant for gets no rights in it.
      require(::fchmod(file, before->st_mode & (given ? 0777 : 0707)) == 0);
    }
    writeAll(file);
    if (!options_.expendable && ::fsync(file) != 0)
      require(errno == EINVAL || errno == ENOTSUP);
  }

  /// Gives a nameless file its final name; where that is taken, a temporary one, and false.
  bool place(int folder, int file, const std::string &name, std::string &temporary) const {
    const std::string self = fmt::format("/proc/self/fd/{}", file);
    const auto link = [&](const std::string &as) {
      return ::linkat(AT_FDCWD, self.c_str(), folder, as.c_str(), AT_SYMLINK_FOLLOW) == 0;
    };
    if (!target_.status && link(name))
      return true;
    require(target_.status || errno == EEXIST);
    std::string free = temporaryName();
    require(link(free));
    temporary = std::move(free);
    return false;
  }

  const std::string &path_;
  const OutputTarget target_;
  std::string_view contents_;
  const WriteOptions &options_;
};

} // namespace

void writeFile(const std::string &path, std::string_view contents, const WriteOptions &options) {
  const BlockedWriteSignals blocked;
  Writing(path, contents, options).run();
}

} // namespace mpf

#include "dsl/support/files/output_file.h"

#include "dsl/support/check.h"
#include "dsl/support/files/random_name.h"
#include "dsl/support/files/write_all.h"
#include "dsl/support/system/blocked_signals.h"

#include <cerrno>
#include <fcntl.h>

namespace mpf {

namespace {

constexpr useconds_t kReaderPollUs = 20'000;

/// Waits for the disk. Returns true for file systems that cannot sync files.
bool syncFile(int file) {
  while (::fsync(file) != 0)
    if (errno != EINTR)
      return errno == EINVAL || errno == ENOTSUP;
  return true;
}

/// Returns a name that is short enough for every file system.
std::string temporaryName() { return fmt::format("{}{}", kTemporaryPrefix, randomName()); }

} // namespace

OutputFile::OutputFile(const std::string &path, const WriteOptions &options)
    : path_(path), target_(findOutputTarget(path)), options_(options) {
  if (target_.descriptor)
    return;
  if (target_.isSpecial()) {
    openDirectly();
    return;
  }
  openTemporary();
  try {
    takeOverStatus();
  } catch (...) {
    discard();
    throw;
  }
}

OutputFile::~OutputFile() { discard(); }

void OutputFile::require(bool worked) const {
  if (!worked)
    failToWrite(path_, errno);
}

/// Opens without waiting, and a pipe only if it has a reader.
void OutputFile::openDirectly() {
  for (int waitedUs = 0; !file_.isOpen(); waitedUs += kReaderPollUs) {
    file_ = FileDescriptor(
        ::open(target_.path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW));
    if (file_.isOpen())
      break;
    require(errno == ENXIO && S_ISFIFO(target_.status->st_mode));
    if (waitedUs >= kPipeReaderWaitSeconds * 1'000'000)
      fail(ErrorKind::BadInput, "{}: is a pipe that nobody has read from for {} seconds", path_,
           kPipeReaderWaitSeconds);
    ::usleep(kReaderPollUs);
  }
  // A user who may write to its folder could have put another file there meanwhile.
  struct stat opened {};
  require(::fstat(file_.number(), &opened) == 0);
  if (opened.st_dev != target_.status->st_dev || opened.st_ino != target_.status->st_ino)
    fail(ErrorKind::BadInput, "{}: is not written: it was exchanged for another file", path_);
  require(::fcntl(file_.number(), F_SETFL, 0) == 0); // writes may wait from here on
}

/// Opens a file without a name if the file system has such files and /proc can name them later.
void OutputFile::openTemporary() {
  const std::string folder = target_.folder();
  folder_ = FileDescriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder_.isOpen() && errno == EACCES) // it can be written to, but not listed or synced
    folder_ = FileDescriptor(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  require(folder_.isOpen());
  if (target_.status) // a file that may not be written could still be replaced
    require(::faccessat(folder_.number(), target_.name().c_str(), W_OK, AT_EACCESS) == 0);
  const mode_t mode = options_.ownerOnly ? 0600 : 0666;
  if (::access("/proc/self/fd", X_OK) == 0)
    file_ = FileDescriptor(::openat(folder_.number(), ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, mode));
  if (file_.isOpen())
    return;
  std::string name = temporaryName();
  registered_.emplace(folder_.number(), name);
  file_ = FileDescriptor(::openat(folder_.number(), name.c_str(),
                                  O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
  require(file_.isOpen());
  temporary_ = std::move(name);
}

void OutputFile::takeOverStatus() const {
  const auto &before = target_.status;
  if (!before)
    return;
  // A file of another user keeps its owner if we may give files away; otherwise it keeps at least
  // its group.
  const int file = file_.number();
  const bool isOurs = before->st_uid == ::geteuid() && before->st_gid == ::getegid();
  const bool given = isOurs || ::fchown(file, before->st_uid, before->st_gid) == 0 ||
                     ::fchown(file, static_cast<uid_t>(-1), before->st_gid) == 0;
  // If the file could not keep its group, its new group gets no rights.
  require(::fchmod(file, before->st_mode & (given ? 0777 : 0707)) == 0);
}

void OutputFile::append(std::string_view bytes) {
  const BlockedWriteSignals blocked;
  if (const int problem = writeAll(number(), bytes); problem != 0) {
    const auto size = static_cast<off_t>(sizeBytes_);
    if (!isDirect() && ::ftruncate(number(), size) == 0)
      ::lseek(number(), size, SEEK_SET);
    failToWrite(path_, problem);
  }
  sizeBytes_ += bytes.size();
}

void OutputFile::overwrite(uint64_t offset, std::string_view bytes) {
  MPF_CHECK(!isDirect() && offset + bytes.size() <= sizeBytes_, "bytes {} to {} of {}", offset,
            offset + bytes.size(), sizeBytes_);
  const BlockedWriteSignals blocked;
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t count = ::pwrite(number(), bytes.data() + done, bytes.size() - done,
                                   static_cast<off_t>(offset + done));
    require(count >= 0 || errno == EINTR);
    done += count > 0 ? static_cast<size_t>(count) : 0;
  }
}

void OutputFile::place() {
  if (target_.descriptor)
    return;
  if (target_.isSpecial())
    return require(file_.close());
  if (!options_.expendable)
    require(syncFile(file_.number()));
  // A nameless file gets its name as late as possible, because a kill in between would leave it.
  const bool nameless = temporary_.empty();
  const bool placed = nameless && placeNameless();
  if (!nameless)
    require(file_.close());
  if (!placed)
    require(::renameat(folder_.number(), temporary_.c_str(), folder_.number(),
                       target_.name().c_str()) == 0);
  temporary_.clear();
  registered_.reset();
  require(file_.close());
  if (!options_.expendable)
    ::fsync(folder_.number()); // fails if the file system cannot sync folders; no data are lost
}

/// Gives the file its final name. If that is taken, gives it a temporary name and returns false.
bool OutputFile::placeNameless() {
  const std::string self = fmt::format("/proc/self/fd/{}", file_.number());
  const auto link = [&](const std::string &as) {
    return ::linkat(AT_FDCWD, self.c_str(), folder_.number(), as.c_str(), AT_SYMLINK_FOLLOW) == 0;
  };
  if (!target_.status && link(target_.name()))
    return true;
  require(target_.status || errno == EEXIST);
  std::string free = temporaryName();
  registered_.emplace(folder_.number(), free);
  require(link(free));
  temporary_ = std::move(free);
  return false;
}

void OutputFile::discard() noexcept {
  if (!temporary_.empty())
    ::unlinkat(folder_.number(), temporary_.c_str(), 0);
  temporary_.clear();
  registered_.reset();
}

} // namespace mpf

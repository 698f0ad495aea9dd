// An open file of the system, closed at the end of its scope.
#pragma once

#include <cerrno>
#include <unistd.h>
#include <utility>

namespace mpf {

class FileDescriptor {
public:
  explicit FileDescriptor(int number = -1) : number_(number) {}
  ~FileDescriptor() { close(); }
  FileDescriptor(FileDescriptor &&other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor &operator=(FileDescriptor &&other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  bool isOpen() const { return number_ >= 0; }
  int number() const { return number_; }
  /// Closes the file. Returns false if the system reports an error of earlier writes; the file is
  /// closed anyway. EINTR is no such error: the file is closed, and no data are lost.
  bool close() { return number_ < 0 || ::close(std::exchange(number_, -1)) == 0 || errno == EINTR; }

private:
  int number_;
};

} // namespace mpf

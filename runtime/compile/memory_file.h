// A file in memory, closed in any child process; its descriptor is above those of stdin to stderr.
#pragma once

#include <string>
#include <string_view>

namespace mpf {

/// Open as long as the object lives. Movable; safe to read from several threads.
class MemoryFile {
public:
  /// At its start. Throws Error(Device) when there is no memory for it.
  explicit MemoryFile(std::string_view contents = {});
  ~MemoryFile();
  MemoryFile(MemoryFile &&other) noexcept;
  MemoryFile &operator=(MemoryFile &&other) noexcept;

  int descriptor() const { return descriptor_; }
  /// Its first bytes.
  std::string start(size_t mostBytes) const;
  /// All of them, as they are now. Throws Error(Device) when they cannot be read.
  std::string contents() const;

private:
  int descriptor_;
};

} // namespace mpf

// Hashes of contents, for the names of cached kernels and for comparing plans. Not for security.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace mpf {

struct Hash128 {
  uint64_t high = 0, low = 0;
  friend bool operator==(const Hash128 &, const Hash128 &) = default;
  std::string hex() const; ///< 32 lower-case hexadecimal digits
};

/// The XXH3 hash of a list of parts. The length of each part is hashed too, so that ("ab","c") and
/// ("a","bc") differ. Machines of the same byte order give the same hash. Not thread-safe.
class HashBuilder {
public:
  HashBuilder();
  ~HashBuilder();
  HashBuilder(const HashBuilder &) = delete;
  HashBuilder &operator=(const HashBuilder &) = delete;

  HashBuilder &add(std::string_view part);
  HashBuilder &add(uint64_t part);
  HashBuilder &addBytes(std::span<const std::byte> part);
  Hash128 finish() const;

private:
  void *state_;
};

} // namespace mpf

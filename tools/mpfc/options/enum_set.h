// A set of values of an enum, as data in tables.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace mpf::driver {

/// The values of `Enum` are at most 63.
template <class Enum> class EnumSet {
public:
  constexpr EnumSet(std::initializer_list<Enum> values) {
    for (const Enum value : values)
      bits_ |= uint64_t{1} << static_cast<unsigned>(value);
  }
  constexpr bool has(Enum value) const { return (bits_ >> static_cast<unsigned>(value) & 1U) != 0; }

private:
  uint64_t bits_ = 0;
};

} // namespace mpf::driver

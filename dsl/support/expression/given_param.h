// Values that host programs give params of a model's text.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace mpf {

/// The value, the sweep or the array that replaces a param's value in the text.
struct GivenParam {
  GivenParam(double value) : values{value} {}
  GivenParam(std::vector<double> sweep) : values(std::move(sweep)), isSwept(true) {}
  GivenParam(std::vector<uint64_t> lengths, std::vector<double> entries)
      : values(std::move(entries)), shape(std::move(lengths)) {}

  std::vector<double> values;       ///< not empty; several if it is swept or an array
  bool isSwept = false;             ///< each value makes a case, even a single value
  std::vector<uint64_t> shape = {}; ///< of an array, whose entries are row-major; else empty
};

} // namespace mpf

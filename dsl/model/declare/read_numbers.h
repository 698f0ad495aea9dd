// Reads arrays of numbers from values: `[1, 2]`, a map, `file("w.npy")`, an array,
// `normalise(...)`.
#pragma once

#include "dsl/model/resolve/build_context.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpf {

/// The array that a value must have.
struct WantedArray {
  std::string name;   ///< for messages
  std::string member; ///< the name that a file of several arrays is searched for; empty: none
  std::vector<std::optional<uint64_t>> lengths = {}; ///< of the axes; not set: as the data have it
  std::vector<DomainPtr> domains = {};               ///< of the axes; null: indices are numbers
};

/// Returns the numbers; nothing after reporting another shape, an element that is no number, or a
/// file that cannot be read. A missing number of a file is NaN.
std::optional<NumberArray> readNumbers(BuildContext &context, const WantedArray &wanted,
                                       const ast::Value &value);

} // namespace mpf

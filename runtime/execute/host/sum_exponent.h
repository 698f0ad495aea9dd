// The scale of programs that add plain values (max-sum, min-sum). All tables of such a program hold
// value = entry * 2^exponent with one exponent, so that entries can be added and compared directly.
//
// The exponent is 0 unless a sum of the inputs could leave the range of the type, or all inputs are
// below 2^-512 (f64) or 2^-64 (f32). Entries below 2^-1022 (f64) or 2^-126 (f32) lose digits or
// become 0.
#pragma once

#include "codegen/bundle/bundle.h"
#include "dsl/support/wide_table.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace mpf {

/// Returns floor(log2) of the greatest finite magnitude, or none if all values are 0 or infinite.
std::optional<int32_t> greatestExponent(const StoredValues &values);
inline std::optional<int32_t> greatestExponent(std::span<const double> values) {
  return greatestExponent(StoredValues(values, values.size()));
}

/// Returns the exponent of the tables of a program in f32 or f64 that adds plain values.
/// `greatestOfInputs`: one per Bundle::inputs. Linear in the program. Equal tables, which are
/// stored once, are added as often as the query adds them.
int32_t sumExponent(const Bundle &bundle, std::span<const std::optional<int32_t>> greatestOfInputs);

/// Returns the greatest exponent that values of unread inputs may have if the tables have
/// `exponent`. `exponent` is the result of sumExponent without these inputs. `unseen`: one flag per
/// Bundle::inputs, true for unread inputs.
int32_t greatestWithin(const Bundle &bundle, std::vector<std::optional<int32_t>> greatestOfInputs,
                       const std::vector<bool> &unseen, int32_t exponent);

} // namespace mpf

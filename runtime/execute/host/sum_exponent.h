// The scale of programs that add plain values (max-sum, min-sum). All tables of such a program hold
// value = entry * 2^exponent with one exponent, so that entries add and compare as they are. It is
// 0 unless a sum of the inputs could leave the range of the type, or all inputs are below 2^-512
// (f64) or 2^-64 (f32). Entries below 2^-1022 (f64) or 2^-126 (f32) lose digits or become 0.
#pragma once

#include "codegen/bundle/bundle.h"
#include "dsl/support/wide_table.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace mpf {

/// floor(log2) of the greatest finite magnitude; nothing where all values are 0 or infinite.
std::optional<int32_t> greatestExponent(const StoredValues &values);
inline std::optional<int32_t> greatestExponent(std::span<const double> values) {
  return greatestExponent(StoredValues(values, values.size()));
}

/// The exponent of the tables of a program in f32 or f64 that adds plain values, from those of its
/// inputs (one per Bundle::inputs). Linear in the program: equal tables are stored once and added
/// as often as the query does.
int32_t sumExponent(const Bundle &bundle, std::span<const std::optional<int32_t>> greatestOfInputs);

/// Of inputs that nobody has looked at: the greatest exponent that their values may have where the
/// tables have `exponent`, which is that of sumExponent with 0 for these inputs. `unseen`: one flag
/// per Bundle::inputs.
int32_t greatestWithin(const Bundle &bundle, std::vector<std::optional<int32_t>> greatestOfInputs,
                       const std::vector<bool> &unseen, int32_t exponent);

} // namespace mpf

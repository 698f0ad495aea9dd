// Reads contractions in JSON, without the numbers of the tensors.
//
//   {"inputs": [["a", "b"], ["b", "c"]], "output": ["a", "c"], "size_dict": {"a": 2, "b": 3, "c":
//   2}}
//   {"einsum": {"ixs": [[1, 2], [2, 3]], "iy": [1, 3]}, "size": {"1": 2, "2": 3, "3": 2}}
//
// The first is of cotengra (its utils, "inputs, output, size_dict"), the second of OMEinsum
// (OMEinsumContractionOrdersBenchmark).
#pragma once

#include "dsl/formats/tensors/tensor_sum.h"

#include <memory>
#include <string_view>

namespace mpf {

/// Reads a whole text. Labels are texts, or whole numbers, which become `x7`. Other members of the
/// objects are skipped. Returns nothing after reporting a text that is no JSON, a missing member,
/// an index without a size, and sizes that are no whole numbers from 1 to 2^32 - 1.
std::optional<TensorSum> readContractionJson(std::shared_ptr<const SourceBuffer> buffer,
                                             Diagnostics &diagnostics);

/// Whether the text begins as an object whose first key is one of these members.
bool startsAsContractionJson(std::string_view text);

} // namespace mpf

// Reads sums of products of tensors: expressions of einsum (einsum_text.h) and contractions in JSON
// (contraction_json.h), with the tensors in an archive beside them.
#pragma once

#include "dsl/formats/network/model_read_options.h"
#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>
#include <string_view>

namespace mpf {

/// Reads a whole text; one that begins with a brace or bracket is JSON. The indices are the
/// variables, the operands the factors op0, op1 and so on; the query `result` is the sum over the
/// indices that the result lacks. The archive `options.tensors` has an array for each operand: op0,
/// op1, ... or arr_0, arr_1, ... as numpy.savez calls them. Without it the operands are inputs, and
/// the text says the sizes. An index that an operand has twice takes the diagonal.
///
/// Returns nothing after reporting an error, as sizes that differ between operands. The memory is
/// proportional to the text and the tensors.
std::optional<Model> readTensors(std::shared_ptr<const SourceBuffer> buffer,
                                 Diagnostics &diagnostics, const ModelReadOptions &options);

/// Whether the text begins as an expression or as a contraction in JSON.
bool startsAsTensors(std::string_view text);

} // namespace mpf

// Reads an expression of einsum: `ij,jk->ik` (numpy.einsum; index letters of opt_einsum).
#pragma once

#include "dsl/formats/tensors/tensor_sum.h"

#include <memory>
#include <string_view>

namespace mpf {

/// Reads a text of one expression. Each character but blanks, ',' and `->` is an index: an ASCII
/// letter, or any other character outside ASCII. `#` begins a comment. Returns nothing after
/// reporting an expression without `->`, an ellipsis, and an index of the result that stands twice
/// or in no operand.
std::optional<TensorSum> readEinsum(std::shared_ptr<const SourceBuffer> buffer,
                                    Diagnostics &diagnostics);

/// Whether the first line that is no comment has `->`, and letters, blanks and commas around it.
bool startsAsEinsum(std::string_view text);

} // namespace mpf

// Parity checks of codes in the alist format (D. MacKay, "Alist format for parity check matrices").
//
//   n m                      bits and checks
//   most_bit most_check      the greatest weights
//   weights of the bits, weights of the checks
//   n lines: the checks of each bit; m lines: the bits of each check. They are counted from 1;
//   zeros fill the lines up to the greatest weight.
#pragma once

#include "dsl/formats/tables/stored_array.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>
#include <vector>

namespace mpf {

/// Returns the arrays n, m (single numbers), checks (the bits of each check) and bits (the checks
/// of each bit): ragged, counted from 0, without zeros at their ends. Returns nothing after
/// reporting numbers out of range, and halves that disagree.
std::optional<std::vector<NamedArray>> readAlist(std::shared_ptr<const SourceBuffer> text,
                                                 Diagnostics &diagnostics);

} // namespace mpf

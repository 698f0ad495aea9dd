// The source of the tier-0 kernels for one element type: preamble, preamble/mpf_operations.cuh and
// mpf_table_driven.cuh or, for whole numbers, mpf_table_integer.cuh.
#pragma once

#include "dsl/support/semiring.h"

#include <string>

namespace mpf {

/// Self-contained CUDA text with the entries mpf_operation, mpf_small_operations, mpf_traceback
/// and, of floating point, mpf_normalise. The same text for every bundle, hence compiled once per
/// architecture and then cached; `packed`: another one, for bundles with packed inputs, which takes
/// a tenth longer.
std::string tableDrivenSource(ElementType type, bool packed);

/// Its name in caches, dumps and messages: "table_driven_f64", "table_driven_packed_f64".
std::string tableDrivenName(ElementType type, bool packed);

} // namespace mpf

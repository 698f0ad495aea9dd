// The source of the table-driven (tier 0) kernels for one element type: the device preamble,
// preamble/mpf_operations.cuh, preamble/mpf_table_driven.cuh or, for whole numbers,
// preamble/mpf_table_integer.cuh, and preamble/mpf_level.cuh.
#pragma once

#include "dsl/support/semiring.h"

#include <cstddef>
#include <string>

namespace mpf {

/// Returns self-contained CUDA text with the kernels mpf_level, mpf_traceback and, for floating
/// point, mpf_normalise. The text is the same for all bundles, so it is compiled once per
/// architecture and then cached. `packed` selects the text for bundles with packed inputs; its
/// kernels take a tenth longer.
std::string tableDrivenSource(ElementType type, bool packed);

/// Returns the length of the head of that source, which precedes the kernels: preambles, and the
/// type of entries.
size_t tableDrivenHeadBytes(ElementType type, bool packed);

/// The name of that source in caches, dumps and messages: "table_driven_f64",
/// "table_driven_packed_f64".
std::string tableDrivenName(ElementType type, bool packed);

} // namespace mpf

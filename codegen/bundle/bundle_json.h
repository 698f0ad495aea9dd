// The parts of a bundle besides bulk data, as JSON: the body in a .mpfb file, and the text that
// --emit=bundle prints.
#pragma once

#include "codegen/bundle/bundle.h"

#include <string>
#include <string_view>

namespace mpf {

/// Which parts of the kernels go into the text.
enum class BundleText {
  Complete, ///< sources and plans in full: what files need; the head is a text apart
            ///< (head/print_head.h)
  Summary,  ///< their sizes only: for people
};

/// Compact (one line) when `indent` is negative. Keys are in a fixed order; same bundle, same text.
/// Table values and cubins are replaced by their sizes.
std::string bundleToJson(const Bundle &bundle, BundleText text, int indent);

/// Sizes of the tables and cubins that the metadata leaves out, in file order.
struct BundleBulk {
  std::vector<uint64_t> tableElems;
  std::vector<uint64_t> cubinBytes; ///< kernel by kernel
};

/// The opposite of bundleToJson(Complete), into a bundle that has its head. Tables and cubins are
/// null or empty, their sizes are in `bulk`. Throws Error(BadInput) for anything else; the result
/// still needs verifyBundle.
void bundleFromJson(std::string_view json, Bundle &bundle, BundleBulk &bulk);

} // namespace mpf

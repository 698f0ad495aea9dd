// Reads the arrays that file("name", "member") means, while a model is built.
#pragma once

#include "dsl/model/array_file.h"
#include "dsl/model/resolve/build_context.h"

#include <memory>
#include <optional>

namespace mpf {

/// Returns the numbers of an array; null after reporting. `request` says everything but its path,
/// member and maxEntries, which are those of `file` and of ModelLimits::maxTableElems.
std::shared_ptr<const ArrayFile> readArray(BuildContext &context, const ast::FileValue &file,
                                           ArrayRequest request);

/// Returns the words of an array, at most request.maxEntries, likewise.
std::optional<WordFile> readWords(BuildContext &context, const ast::FileValue &file,
                                  ArrayRequest request);

} // namespace mpf

// -x model: reads a Model from the text that print_model.h writes.
#pragma once

#include "dsl/model/model.h"
#include "dsl/model/model_limits.h"
#include "dsl/model/resolve/build_options.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>

namespace mpf {

/// Returns the Model, which satisfies verify_model.h. Returns nothing, and reports at least one
/// error, when the text is not a printed Model or breaks an invariant. Memory: proportional to the
/// text and within `limits`. `files` opens a list of cases.
std::optional<Model> readModel(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics,
                               const ModelLimits &limits = {}, const ModelFiles &files = {});

} // namespace mpf

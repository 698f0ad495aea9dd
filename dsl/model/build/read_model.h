// -x model: the text of print_model.h back into a Model.
#pragma once

#include "dsl/model/model.h"
#include "dsl/model/model_limits.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>

namespace mpf {

/// Nothing, and at least one error in `diagnostics`, when the text is not a printed Model or breaks
/// an invariant of verify_model.h. Memory stays in proportion to the text and below `limits`.
std::optional<Model> readModel(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics,
                               const ModelLimits &limits = {});

} // namespace mpf

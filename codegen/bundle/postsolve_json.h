// The postsolve map's part of a bundle's metadata, as one JSON object.
#pragma once

#include "codegen/bundle/json_value.h"
#include "codegen/bundle/postsolve_map.h"
#include "dsl/support/json_text.h"

namespace mpf {

JsonText answerToJson(const PostsolveMap &answer);

/// Throws Error(BadInput) with the name of a missing member, or of one that is no number.
/// verifyAnswer checks the rest.
PostsolveMap answerFromJson(const JsonValue &json);

} // namespace mpf

// The postsolve map's part of a bundle's metadata, as one JSON object.
#pragma once

#include "codegen/bundle/json_value.h"
#include "codegen/bundle/postsolve_map.h"
#include "dsl/support/json_text.h"

namespace mpf {

JsonText answerToJson(const PostsolveMap &answer);

/// Error(BadInput) naming what is missing or no number. verifyAnswer judges the rest.
PostsolveMap answerFromJson(const JsonValue &json);

} // namespace mpf

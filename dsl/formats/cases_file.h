// `observe cases file("cases.csv")`: one case per row, for one result per row.
//
//   rain,wet,"s[0][1]"        header: variables
//   yes,,1                    states by label or number; an empty cell is not observed
//
// Comma-separated; cells may be in double quotes, "" inside them is one quote (RFC 4180). Blanks
// around a cell do not count; lines without any character are skipped.
#pragma once

#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>

namespace mpf {

/// Listed cases over the variables that the header names. A number counts as a label
/// where a label says it. Nothing when an error was reported: unknown or repeated variable, unknown
/// state, a row of another length than the header, more cells than ModelLimits allows.
std::optional<Evidence> readCases(std::shared_ptr<const SourceBuffer> text, const Model &model,
                                  Diagnostics &diagnostics);

} // namespace mpf

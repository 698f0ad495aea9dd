// libDAI factor graphs -> Model (Mooij, "libDAI", JMLR 11, 2010; the library's documentation, "File
// formats").
//
//   3              number of factors; `#` begins a comment
//
//   2              for each factor: how many variables,
//   0 1            their labels,
//   2 3            their numbers of states,
//   4              how many entries are listed: index and value; others are 0
//   0 0.5          the FIRST variable is fastest
//   ...
//
// Labels are numbers, which may have gaps: there are only the variables that a factor names.
#pragma once

#include "dsl/formats/network/model_read_options.h"
#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>
#include <string_view>

namespace mpf {

/// Reads the whole text. The variable of label 7 is "x7", and variables are in the order of their
/// labels. The factors are called "f0", "f1" and so on. The scope of a factor is that of the file
/// from the last variable to the first: the entries keep their order. The Model has one query,
/// "evidence". Returns nothing when an error was reported. Memory is proportional to the text,
/// except that entries that are not listed may be 2^24 in all.
std::optional<Model> readFg(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics,
                            const ModelReadOptions &options = {});

/// Whether the first line, after comments, is one number alone.
bool startsAsFg(std::string_view text);

} // namespace mpf

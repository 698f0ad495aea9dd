// XMLBIF 0.3 -> Model (Cozman, "The Interchange Format for Bayesian Networks", 1998; its version in
// XML, as JavaBayes, Weka, pgmpy and pyAgrum write it).
//
//   <BIF VERSION="0.3"><NETWORK><NAME>weather</NAME>
//     <VARIABLE
//     TYPE="nature"><NAME>rain</NAME><OUTCOME>yes</OUTCOME><OUTCOME>no</OUTCOME></VARIABLE>
//     <DEFINITION><FOR>rain</FOR><TABLE>0.25 0.75</TABLE></DEFINITION>
//     <DEFINITION><FOR>grass</FOR><GIVEN>rain</GIVEN><TABLE>...</TABLE></DEFINITION>
//   </NETWORK></BIF>
//
// A TABLE has the parents in the order of GIVEN, the last one fastest, and the child fastest of
// all: a `table` of BIF lists the child slowest. PROPERTY is skipped.
#pragma once

#include "dsl/formats/network/model_read_options.h"
#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>
#include <string_view>

namespace mpf {

/// Reads the whole text. The Model has one query, "marginals"; rows that do not sum to 1 follow the
/// rule of dsl/support/numbers/row_sums.h. Returns nothing when an error was reported: version 0.2,
/// a decision or utility variable, a DEFINITION of several variables or without a TABLE. Memory is
/// proportional to the text.
std::optional<Model> readXmlbif(std::shared_ptr<const SourceBuffer> buffer,
                                Diagnostics &diagnostics, const ModelReadOptions &options = {});

/// Whether the text is XML whose first element is BIF.
bool startsAsXmlbif(std::string_view text);

} // namespace mpf

// Model -> libDAI factor graph, for other programs. The format holds no names, labels and queries.
// Numbers are printed so that reading them gives the same bits.
#pragma once

#include "dsl/formats/network/written_model.h"
#include "dsl/model/model.h"

namespace mpf {

/// Returns the text of all factors without evidence, in the Model's order. A variable is a number:
/// 7 for x7 if all names are so and ascend, else its place. One that no factor names has a factor
/// of ones. Throws Error(Unsupported) for a
/// factor without values (`input`) or with an infinite or negative value.
WrittenModel writeFg(const Model &model);

} // namespace mpf

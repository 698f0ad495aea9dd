// --emit=model: a whole Model as lines of words (line_reader.h), which read_model.h reads.
//
//   model sprinkler
//   var rain extent=2 no yes                      # labels, if it has any, one per state
//   table 0 elems=4                               # row-major, last variable fastest
//     values 0.6 0.4 0.99 0.01                    # one line or more
//   factor P(rain) family=P(rain) kind=conditional table=0 scope rain
//   factor f family=f kind=plain table=input scope x y
//   factor g family=g kind=plain table=input:0 scope x y   # by default table 0
//   factor h family=h kind=plain table=signed-input scope x   # its values may be below 0
//   factor P(wet) family=P(wet) kind=conditional table=1 scope wet   # cut off by do(wet = ...)
//     uncut table=0 scope rain wet                # and what it was before
//   observe rain 1
//   cases rain wet                                # columns; listed cases, in place of `observe`
//     case 0 -                                    # "-": not observed in this case
//   sweep theta 0 0.25 0.5
//   order rain sprinkler                          # most significant first
//   query Z kind=expression combine=times samples=0
//     output rain
//     reduce sum sprinkler wet                    # outermost first
//     factors P(rain) f                           # or: factors all
//
// A table is printed once, before the first factor that uses it; factors that share it name the
// same table number. Each value is printed so that reading it gives the same bits.
#pragma once

#include "dsl/model/model.h"

#include <string>
#include <string_view>

namespace mpf {

std::string printModel(const Model &model);

/// "sum", "max", "min", "logsum".
std::string_view reduceName(Reduce reduce);

} // namespace mpf

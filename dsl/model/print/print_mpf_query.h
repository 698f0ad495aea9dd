// A query of a Model as .mpf source, for print_mpf.h.
#pragma once

#include "dsl/model/model.h"
#include "dsl/model/mpf_names.h"

#include <string>

namespace mpf {

/// `query k(x, z) = sum(w, y) f * g * h`, without a line end.
std::string printMpfQuery(const Model &model, const Query &query, const MpfSpelling &spelling);

} // namespace mpf

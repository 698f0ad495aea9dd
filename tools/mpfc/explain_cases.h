// Computes what `mpfc explain` prints about a query for a list of cases.
#pragma once

#include "codegen/kernel/form/target.h"
#include "dsl/model/model.h"
#include "tools/mpfc/cases/case_list.h"
#include "tools/mpfc/explain/facts/case_facts.h"
#include "tools/mpfc/options/options.h"

namespace mpf::driver {

/// Plans `query` for every engine that could answer the cases of `list`, as a run would, and says
/// which one a run takes (runtime/engine/list/choose_engine.h). No row is read. `options` have a
/// memory bound. `gpu` is used if --device is gpu. If every engine refuses, it throws what a run
/// throws.
CaseFacts explainCases(const CaseList &list, const Query &query, const Options &options,
                       const Target &gpu);

} // namespace mpf::driver

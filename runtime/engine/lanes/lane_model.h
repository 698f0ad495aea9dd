// The model of a lane program that was read from a bundle.
#pragma once

#include "codegen/bundle/forms/program_form.h"
#include "dsl/model/model.h"
#include "runtime/engine/case_question.h"
#include "runtime/machine/process_memory.h"

#include <memory>
#include <string_view>

namespace mpf {

/// Returns the parts of a model that readers of cases and writers of answers need. These are the
/// program's variables with fixed states, its inputs as the first factors, the params that cases
/// set, the sweeps that make cases, and its query.
Model modelOfLanes(const LaneProgram &program);

/// Returns the question that the program of a file answers. Throws Error(BadInput), with the name
/// of the file, for a program that does not answer lists of cases.
std::shared_ptr<const CaseQuestion> loadedQuestion(StoredProgram file, std::string_view name);

/// Returns the facts of a run of a loaded program. The answers of cases are not kept.
RunFacts runFacts(const LaneProgram &program, unsigned threads);

} // namespace mpf

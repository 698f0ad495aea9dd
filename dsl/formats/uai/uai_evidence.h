// Reads evidence and query files of .uai models: only numbers; variables and states count from 0.
//
// Two dialects of evidence are in use. Both are read, but the file does not name its dialect:
//   one line      m v1 x1 .. vm xm                       merlin, UAI 2022, most published files
//   samples       S, then S times  m v1 x1 .. vm xm      UAI 2008 to 2014
// The reader takes the one-line form if its length fits, unless each sample is exactly one line of
// the file. One sample is evidence, several are a list of cases: one result per sample. A file may
// be cut off, so a sample without observations counts only where each sample is one line.
#pragma once

#include "dsl/model/model.h"
#include "dsl/model/state_numbers.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>
#include <vector>

namespace mpf {

/// Adds the file's observations to model.evidence; several samples become its list of cases. "0"
/// observes nothing. `numbers`: the meaning of numbers of states if the model has
/// labels that look like numbers.
/// Returns false, and leaves the model unchanged, when an error was reported. Errors are a variable
/// or state out of range, two states of one variable (one may be the model's), a wrong length, and
/// an empty file.
bool readEvidence(std::shared_ptr<const SourceBuffer> buffer, Model &model,
                  Diagnostics &diagnostics, NumberReading numbers = NumberReading::Both);

/// Reads virtual (likelihood) evidence as merlin does: a count, then per line `v extent l1 .. lk`.
/// The count 0 is no evidence; an empty file is an error.
/// Each line becomes a likelihood of the model's evidence, listed by every query it belongs to.
/// Likelihoods are finite, not negative, and not all zero. Returns false, and leaves the model
/// unchanged, when an error was reported.
bool readVirtualEvidence(std::shared_ptr<const SourceBuffer> buffer, Model &model,
                         Diagnostics &diagnostics);

/// Reads the query variables of a marginal MAP or joint query: `q v1 .. vq`, at least one, in the
/// order of the file.
std::optional<std::vector<VarId>> readQueryVariables(std::shared_ptr<const SourceBuffer> buffer,
                                                     const Model &model, Diagnostics &diagnostics);

} // namespace mpf

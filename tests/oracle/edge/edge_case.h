// One case of the campaign as plain data: a model, a query, the actions of a session, and options
// of the compiler and the runtime. The answer does not depend on the options.
#pragma once

#include "codegen/plan/program/plan_options.h"
#include "dsl/model/model.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mpf::oracle {

/// The way in which the model becomes a program.
enum class EdgePath {
  Direct, ///< all of the pipeline on the model
  Stored, ///< the same, then serialised and parsed again
  Text,   ///< printed as .mpf and compiled from that text
};

/// Options of a case. The defaults are the simplest way to run: the shrinker goes back to them one
/// by one.
struct EdgeOptions {
  EdgePath path = EdgePath::Direct;
  bool finalTables = false, finalEvidence = false;
  std::vector<std::string> offPasses; ///< passes of the simplifier; not for EdgePath::Text
  bool forcedLog = false;
  ElementType type = ElementType::F64;
  KeptMessages keep = KeptMessages::None; ///< single runs may keep none
  /// Above 0: the plan may take its inputs and this share of its work memory without a bound.
  double memoryShare = 0;
  /// Most sliced variables, chosen by sliceSeed; not for EdgePath::Text.
  size_t slicedVariables = 0;
  uint64_t sliceSeed = 0;
  unsigned threads = 1;
  size_t verifySamples = 0;        ///< per operation; the runtime recomputes them by other code
  bool compiled = false;           ///< by the system's C++ compiler, at any cost
  bool gpu = false;                ///< compile kernels for the machine's GPU and run on it
  bool specialisedKernels = false; ///< one for every operation, else table-driven
};

struct EdgeCase {
  Model model; ///< with the values and states of the first run; holds the query for printMpf
  Query query;
  std::vector<char> input;  ///< by factor: compiled without values, bound before every run
  std::vector<Model> later; ///< further runs of the session: other states, other values
  EdgeOptions options;

  size_t runs() const { return 1 + later.size(); }
  const Model &modelOf(size_t run) const { return run == 0 ? model : later[run - 1]; }
  /// Whether a later run binds other values to a factor that was compiled with some: then tables
  /// are not final.
  bool changesTables() const;
};

/// Returns text like "compiled from the model, final tables, only constants, f64".
std::string optionsText(const EdgeOptions &options);

/// Describes the case for people: options in words, the model of each run as .mpf text.
std::string describe(const EdgeCase &edge);

/// Returns the query's kind and algebra, like "sum-product evidence".
std::string queryText(const Query &query);

/// Whether .mpf text can express the query with equal meaning.
bool hasText(const Model &model, const Query &query);

} // namespace mpf::oracle

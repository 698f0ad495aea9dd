#include "codegen/simplify/simplify_pipeline.h"

#include "codegen/simplify/passes/pass_components.h"
#include "codegen/simplify/passes/pass_constants.h"
#include "codegen/simplify/passes/pass_evidence.h"
#include "codegen/simplify/passes/pass_functions.h"
#include "codegen/simplify/passes/pass_merge_factors.h"
#include "codegen/simplify/passes/pass_merge_states.h"
#include "codegen/simplify/passes/pass_probing.h"
#include "codegen/simplify/passes/pass_singletons.h"
#include "codegen/simplify/passes/pass_uniform.h"
#include "codegen/simplify/passes/pass_zeros.h"
#include "dsl/support/counts.h"
#include "dsl/support/system/watched_call.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace mpf {

namespace {

constexpr Restored kAnyAnswer[] = {Restored::Number, Restored::Table, Restored::Posterior,
                                   Restored::Posteriors, Restored::Assignment};
/// The answers that a pass keeps though variables leave without a posterior of their own.
constexpr Restored kOneAnswer[] = {Restored::Number, Restored::Table, Restored::Posterior,
                                   Restored::Assignment};
/// The answer that a pass keeps though it removes a factor that multiplies all entries alike.
constexpr Restored kPosterior[] = {Restored::Posterior};

} // namespace

bool PassValidity::holdsFor(const SimplifyState &state) const {
  return std::find(answers.begin(), answers.end(), state.traits().restored) != answers.end() &&
         (!needsZero || state.algebra.hasZero());
}

const std::vector<SimplifyPass> &simplifyPasses() {
  static const std::vector<SimplifyPass> kPasses = {
      {"evidence", passEvidence, {kAnyAnswer}, true},
      {.name = "zeros",
       .run = passZeros,
       .validity = {.answers = kAnyAnswer, .needsZero = true},
       .entryUs = 0.004},
      {"constants", passConstants, {kAnyAnswer}},
      {"uniform", passUniform, {kAnyAnswer}},
      {"barren", passBarren, {kOneAnswer}},
      {"components", passComponents, {kPosterior}},
      {"aliases", passAliases, {.answers = kAnyAnswer, .needsZero = true}},
      {.name = "merge-states", .run = passMergeStates, .validity = {kAnyAnswer}, .entryUs = 0.01},
      {.name = "merge-factors", .run = passMergeFactors, .validity = {kAnyAnswer}, .entryUs = 0.02},
      {.name = "functions",
       .run = passFunctions,
       .validity = {.answers = kAnyAnswer, .needsZero = true},
       .entryUs = 0.004},
      {.name = "leaves", .run = passLeaves, .validity = {kOneAnswer}, .entryUs = 0.004},
      {.name = "probing",
       .run = passProbing,
       .validity = {.answers = kAnyAnswer, .needsZero = true},
       .atRest = true,
       .entryUs = 0.01},
  };
  return kPasses;
}

const SimplifyPass *findSimplifyPass(std::string_view name) {
  const std::vector<SimplifyPass> &passes = simplifyPasses();
  const auto pass = std::find_if(passes.begin(), passes.end(),
                                 [name](const SimplifyPass &p) { return p.name == name; });
  return pass == passes.end() ? nullptr : &*pass;
}

bool isSimplifyPass(std::string_view name) { return findSimplifyPass(name) != nullptr; }

std::string findPassObstacle(const SimplifyState &state, const SimplifyPass &pass,
                             const SimplifyOptions &options) {
  if (pass.needsFinalEvidence && !options.finalEvidence)
    return "the evidence is not final";
  if (pass.validity.needsZero && !state.algebra.hasZero())
    return "it looks for zeros of the semiring, and the query's has none";
  if (!pass.validity.holdsFor(state))
    return "it does not keep the answer of such a query";
  return "";
}

bool runSimplifyPass(SimplifyState &state, const SimplifyPass &pass, unsigned round,
                     const SimplifyHook &after) {
  const SimplifySize before = after ? sizeOf(state) : SimplifySize();
  throwIfCancelled();
  const auto start = std::chrono::steady_clock::now();
  const bool changed = pass.run(state);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  if (after)
    after({pass.name, round, state, changed, before, sizeOf(state), elapsed.count()});
  return changed;
}

namespace {

/// A round that leaves more than this share of states, factors and entries is not worth its time.
constexpr double kLeastGain = 0.99;

uint64_t weightOf(const SimplifySize &size) {
  return saturatingAdd(saturatingAdd(size.values, size.factors), size.entries);
}

} // namespace

void runSimplifyPasses(SimplifyState &state, const SimplifyOptions &options,
                       const SimplifyHook &after) {
  const auto isOff = [&](const SimplifyPass &pass) {
    return std::find(options.offPasses.begin(), options.offPasses.end(), pass.name) !=
           options.offPasses.end();
  };
  std::vector<const SimplifyPass *> passes;
  for (const SimplifyPass &pass : simplifyPasses())
    if (!isOff(pass) && findPassObstacle(state, pass, options).empty())
      passes.push_back(&pass);
  constexpr unsigned kMaxRuns = 2; // most runs of a pass at rest
  unsigned runsAtRest = 0;
  // A pass that found nothing will find nothing until another one changes something.
  std::vector<uint64_t> seen(passes.size(), 0); // by pass: number of changes when it found nothing
  uint64_t changes = 1, seenAtStart = 0, sizedAt = 0;
  SimplifySize lastSize;
  const auto size = [&]() -> const SimplifySize & { // counted once after each change
    if (std::exchange(sizedAt, changes) != changes)
      lastSize = sizeOf(state);
    return lastSize;
  };
  const auto pays = [&](const SimplifyPass &pass) {
    return pass.entryUs == 0 || !options.pays ||
           options.pays(state, pass.entryUs * static_cast<double>(size().entries));
  };
  bool goesOn = true;
  for (unsigned round = 1; goesOn && round <= options.maxRounds; ++round) {
    const uint64_t weightBefore = weightOf(size());
    const auto stalls = [&] {
      return changes == seenAtStart ||
             (round > 1 && static_cast<double>(weightOf(size())) >
                               kLeastGain * static_cast<double>(weightBefore));
    };
    seenAtStart = changes;
    bool changedAtRest = false;
    for (size_t i = 0; i < passes.size(); ++i) {
      const SimplifyPass *pass = passes[i];
      if (seen[i] == changes || (pass->atRest && (!stalls() || runsAtRest++ >= kMaxRuns)) ||
          !pays(*pass))
        continue;
      const bool passChanged = runSimplifyPass(state, *pass, round, after);
      changes += passChanged ? 1 : 0;
      seen[i] = passChanged ? 0 : changes;
      changedAtRest |= passChanged && pass->atRest;
      if (state.impossible)
        return;
    }
    goesOn = changedAtRest || !stalls();
  }
}

} // namespace mpf

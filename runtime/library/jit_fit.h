// Evidence by Jeffrey's rule: `observe x ~ posterior [0.4, 0.6]` says what the posterior of x is
// given all evidence (Jeffrey 1965). A likelihood of x makes it so; several likelihoods are found
// together by iterative proportional fitting (Deming and Stephan 1940; Valtorta, Kim and Vomlel
// 2002).
#pragma once

#include "dsl/model/model.h"
#include "runtime/api/session.h"

#include <cstdint>
#include <functional>
#include <span>

namespace mpf {

/// The functions and limits with which a fit computes posteriors to compare with the targets.
struct FitRuns {
  /// Compiles the query in f64. Factors of `model` without values are inputs that sessions bind.
  std::function<Program(const Model &model, const Query &query)> compile;
  SessionOptions session;
  /// Sessions stay open from round to round if all their tables together take no more than this.
  /// Otherwise each session is opened for one run.
  uint64_t mostTableBytes = UINT64_MAX;
  /// Called with the predicted time of the remaining rounds, if a fit may take above a second. That
  /// is before the first round, and again when the number of rounds is known better. It may throw.
  /// May be empty.
  std::function<void(double seconds, std::span<const Program> programs)> expect;
};

/// Whether the model has target posteriors (Factor::target).
bool hasTargets(const Model &model);

/// Returns the model with likelihoods in place of targets (Factor::target). They give the target
/// posteriors within 1e-12 of each entry; a target is divided by its sum first. `rounds` gets the
/// number of passes over all targets. Without targets it is 0 and the model is unchanged. The fit
/// holds for the model's other evidence and values, not for others that a session binds.
///
/// Throws Error(BadInput) for a target that is positive where the model and the other evidence have
/// probability 0, or if kMostFitRounds passes do not meet all targets. Throws Error(Unsupported)
/// for lists of cases and for inputs without values. Throws what `runs` and running throw.
Model fitted(Model model, const FitRuns &runs, uint32_t *rounds = nullptr);

inline constexpr uint32_t kMostFitRounds = 2000;

} // namespace mpf

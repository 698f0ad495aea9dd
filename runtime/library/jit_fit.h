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

/// How a fit computes the posteriors that it compares with those wanted.
struct FitRuns {
  /// Compiles the query in f64. Factors of `model` without values are inputs that sessions bind.
  std::function<Program(const Model &model, const Query &query)> compile;
  SessionOptions session;
  /// Sessions stay open from round to round while their tables take no more than this together.
  /// Otherwise each is opened for its run alone.
  uint64_t mostTableBytes = UINT64_MAX;
  /// Called for a fit that may take above a second, with the predicted time of the rounds ahead.
  /// The first call is before the first round; more calls follow as the number of rounds becomes
  /// known. It may throw. May be empty.
  std::function<void(double seconds, std::span<const Program> programs)> expect;
};

/// Whether the model says posteriors that are to be met (Factor::target).
bool hasTargets(const Model &model);

/// The model with likelihoods in place of targets (Factor::target), which give these posteriors
/// within 1e-12 of each entry; a target is divided by its sum first. `rounds` gets the number of
/// passes over all targets; without targets it is 0 and the model is as it was. The fit holds for
/// the model's other evidence and values, not for others that a session binds.
///
/// Throws Error(BadInput) for a target that is positive where the model and the other evidence have
/// probability 0, and if kMostFitRounds passes do not meet all targets. Throws Error(Unsupported)
/// for lists of cases and for inputs without values. Errors of `runs` pass through.
Model fitted(Model model, const FitRuns &runs, uint32_t *rounds = nullptr);

inline constexpr uint32_t kMostFitRounds = 2000;

} // namespace mpf

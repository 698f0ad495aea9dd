// Evidence by Jeffrey's rule: `observe x ~ posterior [0.4, 0.6]` says what the posterior of x is
// once all evidence is in (Jeffrey 1965). A likelihood of x gives it; several are found together by
// iterative proportional fitting (Deming and Stephan 1940; Valtorta, Kim and Vomlel 2002).
#pragma once

#include "dsl/model/model.h"

#include <cstdint>

namespace mpf {

/// The model with likelihoods in place of targets (Factor::target), which give these posteriors
/// within 1e-12 of each entry; a target is divided by its sum first. `rounds` gets the number of
/// passes over all targets; without targets it is 0 and the model is as it was. The fit holds for
/// the model's other evidence and values, not for others that a session binds.
///
/// Throws Error(BadInput) for a target that is positive where the model and the other evidence have
/// probability 0, and where kMostFitRounds passes do not meet all targets; Error(Unsupported) for
/// lists of cases and for inputs without values; as compileModel.
Model fitted(Model model, uint32_t *rounds = nullptr);

inline constexpr uint32_t kMostFitRounds = 2000;

} // namespace mpf

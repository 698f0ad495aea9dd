// The number of times that a test repeats itself.
#pragma once

namespace mpf {

/// Returns `count` in a release build, and a tenth of it under the sanitizers, where a trial takes
/// ten times as long. Release builds serve to find rare wrong results; the faults that sanitizers
/// find show in most trials.
template <class Count> constexpr Count trials(Count count) {
  return MPF_SANITIZED ? (count + 9) / 10 : count;
}

} // namespace mpf

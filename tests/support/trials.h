// How often a test repeats itself.
#pragma once

namespace mpf {

/// `count` in a release build, a tenth of it under the sanitizers, where a trial takes ten times
/// as long: rare wrong results are the former's to find, and what the latter look for shows in most
/// trials.
template <class Count> constexpr Count trials(Count count) {
  return MPF_SANITIZED ? (count + 9) / 10 : count;
}

} // namespace mpf

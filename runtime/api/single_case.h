// One case whose findings change from call to call: evidence, posteriors and best assignments for
// other evidence each time, without another compilation.
//
//   mpf::CaseProgram program = mpf::compileCases(network, {}, {.query = "marginals"});
//   mpf::SingleCase one(program);
//   one.observe("wet", "yes");
//   double rain = one.run().at("rain", "yes").value().value();
//   one.unobserve("wet");                       // any variable of CaseOptions::observable
//
// Errors and threads: see runtime/api/mpf.h; an object belongs to one thread at a time.
#pragma once

#include "runtime/api/cases.h"
#include "runtime/result/result.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace mpf {

/// Keeps the findings of one case, and answers it.
class SingleCase {
public:
  /// Opens a CaseSession for a case at a time. Throws as it does.
  explicit SingleCase(const CaseProgram &program, const SessionOptions &options = {});
  ~SingleCase();
  SingleCase(SingleCase &&) noexcept;
  SingleCase &operator=(SingleCase &&) noexcept;

  /// Set the state of a variable until it is set again. Throw as CaseProgram::observe.
  void observe(std::string_view variable, uint32_t state);
  void observe(std::string_view variable, std::string_view label);
  /// Takes the finding of a variable away. Throws Error(Usage) if cases cannot observe it.
  void unobserve(std::string_view variable);
  void unobserveAll();
  /// Sets a weight for each state of a variable of CaseOptions::likelihoods; weights of 1 take the
  /// soft evidence away. Throws Error(Usage) for other variables and another number of weights.
  void weigh(std::string_view variable, std::span<const double> weights);
  /// Sets a param of CaseOptions::params; NaN: the model's value holds.
  void setParam(std::string_view param, double value);
  /// Sets new values of a factor, like CaseSession::bind.
  void bind(std::string_view factor, std::span<const double> values);

  /// Answers the case. Observed variables have posteriors too. The result is valid until the next
  /// call, and has no timings. Throws as CaseSession::run.
  const Result &run();

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace mpf

// Handles of the interface for C that free themselves.
#pragma once

#include "runtime/c/mpf_c.h"

#include <gtest/gtest.h>
#include <utility>

namespace mpf::c {

/// Owns a handle. `out()` frees the handle before, for a call that makes another one.
template <class Kind, void (*kFree)(Kind *)> class Owner {
public:
  Owner() = default;
  Owner(Owner &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Owner &operator=(Owner &&other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Owner() { kFree(handle_); }
  operator Kind *() const { return handle_; }
  Kind **out() {
    kFree(std::exchange(handle_, nullptr));
    return &handle_;
  }

private:
  Kind *handle_ = nullptr;
};

using OwnOptions = Owner<mpf_options, mpf_options_free>;
using OwnNetwork = Owner<mpf_network, mpf_network_free>;
using OwnProgram = Owner<mpf_program, mpf_program_free>;
using OwnSession = Owner<mpf_session, mpf_session_free>;
using OwnResult = Owner<mpf_result, mpf_result_free>;
using OwnCases = Owner<mpf_cases, mpf_cases_free>;

/// Fails a test with the message of the last call.
#define EXPECT_OK(call) EXPECT_EQ(call, MPF_OK) << mpf_last_error()

inline OwnOptions cpuOptions() {
  OwnOptions options;
  EXPECT_OK(mpf_options_new(options.out()));
  EXPECT_OK(mpf_options_set(options, "device", "cpu"));
  return options;
}

/// P(rain) = [0.8, 0.2], P(wet | rain) = [[0.9, 0.1], [0.2, 0.8]]; states no and yes.
inline OwnNetwork rainNetwork() {
  static const char *const labels[] = {"no", "yes"}, *const rain[] = {"rain"};
  static const double ofRain[] = {0.8, 0.2}, ofWet[] = {0.9, 0.1, 0.2, 0.8};
  OwnNetwork network;
  EXPECT_OK(mpf_network_new("garden", network.out()));
  EXPECT_OK(mpf_network_add_variable(network, "rain", 2, labels));
  EXPECT_OK(mpf_network_add_variable(network, "wet", 2, labels));
  EXPECT_OK(mpf_network_add_conditional(network, "rain", nullptr, 0, ofRain, 2));
  EXPECT_OK(mpf_network_add_conditional(network, "wet", rain, 1, ofWet, 4));
  return network;
}

inline OwnSession sessionOf(const mpf_network *network, const char *query, bool isForCases) {
  const OwnOptions options = cpuOptions();
  OwnProgram program;
  OwnSession session;
  EXPECT_OK((isForCases ? mpf_compile_cases : mpf_compile)(network, query, options, program.out()));
  EXPECT_OK(mpf_session_open(program, options, session.out()));
  return session;
}

inline double valueOf(const mpf_result *result, const char *variable, const char *label) {
  double value = -1;
  EXPECT_OK(mpf_result_at(result, &variable, &label, 1, &value));
  return value;
}

} // namespace mpf::c

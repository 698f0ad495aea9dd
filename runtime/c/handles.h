// The objects behind the handles of mpf_c.h.
#pragma once

#include "runtime/api/cases.h"
#include "runtime/api/network.h"
#include "runtime/api/session.h"
#include "runtime/api/single_case.h"
#include "runtime/c/call.h"
#include "runtime/library/named_options.h"

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

struct mpf_options : mpf::c::Handle {
  mpf::HostOptions options;
};

struct mpf_network : mpf::c::Handle {
  explicit mpf_network(mpf::Network read) : network(std::move(read)) {}

  /// The lists of the network, made when they are asked for.
  struct Lists {
    std::vector<mpf::VariableInfo> variables;
    std::vector<mpf::FactorInfo> factors;
    std::vector<mpf::ParamInfo> params;
    std::vector<std::string> queries;
  };
  using Observations = std::vector<std::pair<std::string, uint32_t>>;

  mpf::Network network;
  mutable std::optional<Lists> lists; ///< none after a change
  mutable std::optional<Observations> observations;
  std::string text;                 ///< of mpf_network_text
  std::vector<std::string> leftOut; ///< by the last mpf_network_write
};

struct mpf_program : mpf::c::Handle {
  /// Compiled for the evidence of its network, or for cases.
  std::variant<mpf::Program, mpf::CaseProgram> program;
  std::vector<mpf::VariableInfo> variables;
  std::vector<std::string> warnings;
  std::optional<std::string> bytes; ///< of mpf_program_bytes

  mpf_program(std::variant<mpf::Program, mpf::CaseProgram> made, std::vector<std::string> said)
      : program(std::move(made)),
        variables(std::visit([](const auto &one) { return one.variables(); }, program)),
        warnings(std::move(said)) {}
};

struct mpf_session : mpf::c::Handle {
  explicit mpf_session(std::variant<mpf::Session, mpf::SingleCase> opened)
      : session(std::move(opened)) {}

  std::variant<mpf::Session, mpf::SingleCase> session;
  mpf::DeviceRunLayout layout; ///< of the last mpf_session_device_layout
  std::atomic_flag busy;
};

struct mpf_result : mpf::c::Handle {
  explicit mpf_result(mpf::Result found) : result(std::move(found)) {}

  const mpf::Result result;
  std::optional<std::string> json;            ///< of mpf_result_json
  mutable std::set<std::string> stateNumbers; ///< texts that mpf_result_state returned
};

namespace mpf::c {

/// Returns a copy of the options; the defaults for a null pointer.
inline HostOptions optionsOf(const mpf_options *options) {
  if (options == nullptr)
    return {};
  const std::lock_guard lock(options->mutex);
  return options->options;
}

/// Returns a copy of the network. Throws Error(Usage) for a null pointer.
inline Network networkOf(const mpf_network *network) {
  const std::lock_guard lock(required(network, "the network")->mutex);
  return network->network;
}

/// Returns a session of a program of `Kind`. `maker`: the function that compiles such programs.
template <class Kind> Kind &kindOf(mpf_session &session, const char *maker) {
  if (Kind *const own = std::get_if<Kind>(&session.session))
    return *own;
  fail(ErrorKind::Usage, "this call needs a program of {}", maker);
}

/// Set what a function of mpf_c.h returns about variable `index`, or its label.
void setVariable(const std::vector<VariableInfo> &variables, size_t index, const char **name,
                 uint32_t *states);
void setLabel(const std::vector<VariableInfo> &variables, size_t index, uint32_t state,
              const char **label);

} // namespace mpf::c

// Networks for C: made, read, listed, written. What changes them is network_edits.cpp.
#include "runtime/c/handles.h"

#include <cstring>

using namespace mpf;
using namespace mpf::c;

namespace {

ReadOptions readingOf(const mpf_options *options) {
  ReadOptions reading = optionsOf(options).reading;
  if (!reading.evidence)
    reading.states.clear(); // it is for columns of cases then
  return reading;
}

/// Does the work with the lists of a network.
template <class Work>
mpf_status callOnLists(const mpf_network *network, const Work &work) noexcept {
  return callOn(network, [&](const mpf_network &handle) {
    const Network &model = handle.network;
    if (!handle.lists)
      handle.lists = {model.variables(), model.factors(), model.params(), model.queries()};
    work(*handle.lists);
  });
}

} // namespace

namespace mpf::c {

void setVariable(const std::vector<VariableInfo> &variables, size_t index, const char **name,
                 uint32_t *states) {
  required(name, "name");
  required(states, "states");
  const bool isThere = index < variables.size();
  *name = isThere ? variables[index].name.c_str() : nullptr;
  *states = isThere ? variables[index].states : 0;
}

void setLabel(const std::vector<VariableInfo> &variables, size_t index, uint32_t state,
              const char **label) {
  required(label, "label");
  if (index >= variables.size())
    fail(ErrorKind::Usage, "there are {} variables, there is no variable {}", variables.size(),
         index);
  setText(variables[index].labels, state, label);
}

} // namespace mpf::c

mpf_status mpf_network_new(const char *name, mpf_network **out) {
  return call(nullptr, [&] {
    mpf_network *&made = newHandle(out);
    made = new mpf_network(Network(required(name, "name")));
  });
}

mpf_status mpf_network_read(const char *path, const mpf_options *options, mpf_network **out) {
  return call(options, [&] {
    mpf_network *&made = newHandle(out);
    made = new mpf_network(Network::read(required(path, "path"), readingOf(options)));
  });
}

mpf_status mpf_network_parse(const char *text, size_t bytes, const mpf_options *options,
                             mpf_network **out) {
  return call(options, [&] {
    mpf_network *&made = newHandle(out);
    made = new mpf_network(Network::parse({required(text, "text"), bytes}, readingOf(options)));
  });
}

mpf_status mpf_network_copy(const mpf_network *network, mpf_network **out) {
  return call(network, [&] {
    mpf_network *&made = newHandle(out);
    made = new mpf_network(networkOf(network));
  });
}

const char *mpf_network_error(const mpf_network *network) { return errorOf(network); }

void mpf_network_free(mpf_network *network) { delete network; }

mpf_status mpf_network_name(const mpf_network *network, const char **name) {
  return callOn(network, [&](const mpf_network &handle) {
    *required(name, "name") = handle.network.name().c_str();
  });
}

mpf_status mpf_network_variable_count(const mpf_network *network, size_t *count) {
  return callOnLists(network, [&](const mpf_network::Lists &lists) {
    *required(count, "count") = lists.variables.size();
  });
}

mpf_status mpf_network_variable(const mpf_network *network, size_t index, const char **name,
                                uint32_t *states) {
  return callOnLists(network, [&](const mpf_network::Lists &lists) {
    setVariable(lists.variables, index, name, states);
  });
}

mpf_status mpf_network_label(const mpf_network *network, size_t index, uint32_t state,
                             const char **label) {
  return callOnLists(network, [&](const mpf_network::Lists &lists) {
    setLabel(lists.variables, index, state, label);
  });
}

mpf_status mpf_network_factor_count(const mpf_network *network, size_t *count) {
  return callOnLists(network, [&](const mpf_network::Lists &lists) {
    *required(count, "count") = lists.factors.size();
  });
}

mpf_status mpf_network_factor(const mpf_network *network, size_t index, const char **name,
                              uint32_t *kind, uint64_t *entries) {
  return callOnLists(network, [&](const mpf_network::Lists &lists) {
    required(name, "name");
    required(kind, "kind");
    required(entries, "entries");
    *name = nullptr;
    *kind = 0;
    *entries = 0;
    if (index >= lists.factors.size())
      return;
    const FactorInfo &factor = lists.factors[index];
    *name = factor.name.c_str();
    *kind = (factor.isConditional ? MPF_FACTOR_CONDITIONAL : 0) |
            (factor.isInput ? MPF_FACTOR_INPUT : 0) |
            (factor.isLikelihood ? MPF_FACTOR_LIKELIHOOD : 0);
    *entries = factor.sizeElems;
  });
}

mpf_status mpf_network_axis(const mpf_network *network, size_t index, size_t axis,
                            const char **variable) {
  return callOnLists(network, [&](const mpf_network::Lists &lists) {
    if (index >= lists.factors.size())
      fail(ErrorKind::Usage, "there are {} factors, there is no factor {}", lists.factors.size(),
           index);
    setText(lists.factors[index].variables, axis, required(variable, "variable"));
  });
}

mpf_status mpf_network_values(const mpf_network *network, const char *factor, const double **values,
                              uint64_t *count) {
  return callOn(network, [&](const mpf_network &handle) {
    required(values, "values");
    required(count, "count");
    const auto held = handle.network.values(required(factor, "factor"));
    *values = held ? held->data() : nullptr;
    *count = held ? held->size() : 0;
  });
}

mpf_status mpf_network_param(const mpf_network *network, size_t index, const char **name,
                             double *value) {
  return callOnLists(network, [&](const mpf_network::Lists &lists) {
    required(name, "name");
    required(value, "value");
    const bool isThere = index < lists.params.size();
    *name = isThere ? lists.params[index].name.c_str() : nullptr;
    *value = isThere ? lists.params[index].value : 0;
  });
}

mpf_status mpf_network_query(const mpf_network *network, size_t index, const char **name) {
  return callOnLists(network, [&](const mpf_network::Lists &lists) {
    setText(lists.queries, index, required(name, "name"));
  });
}

mpf_status mpf_network_observation(const mpf_network *network, size_t index, const char **variable,
                                   uint32_t *state) {
  return callOn(network, [&](const mpf_network &handle) {
    required(variable, "variable");
    required(state, "state");
    if (!handle.observations)
      handle.observations = handle.network.observations();
    const bool isThere = index < handle.observations->size();
    *variable = isThere ? (*handle.observations)[index].first.c_str() : nullptr;
    *state = isThere ? (*handle.observations)[index].second : 0;
  });
}

mpf_status mpf_network_warning(const mpf_network *network, size_t index, const char **warning) {
  return callOn(network, [&](const mpf_network &handle) {
    setText(handle.network.warnings(), index, required(warning, "warning"));
  });
}

mpf_status mpf_network_text(mpf_network *network, const char *ending, const char **text,
                            size_t *bytes) {
  return callOn(network, [&](mpf_network &handle) {
    required(text, "text");
    required(bytes, "bytes");
    handle.text = handle.network.text(required(ending, "ending"));
    *text = handle.text.c_str();
    *bytes = handle.text.size();
  });
}

mpf_status mpf_network_write(mpf_network *network, const char *path) {
  return callOn(network, [&](mpf_network &handle) {
    handle.leftOut = handle.network.write(required(path, "path"));
  });
}

mpf_status mpf_network_left_out(const mpf_network *network, size_t index, const char **sentence) {
  return callOn(network, [&](const mpf_network &handle) {
    setText(handle.leftOut, index, required(sentence, "sentence"));
  });
}

// Changes of networks, for C.
#include "runtime/c/handles.h"

using namespace mpf;
using namespace mpf::c;

namespace {

/// Changes the network of a handle.
template <class Edit> mpf_status edit(mpf_network *network, const Edit &change) noexcept {
  return callOn(network, [&](mpf_network &handle) {
    change(handle.network); // it may read texts of the lists
    handle.lists.reset();
    handle.observations.reset();
  });
}

} // namespace

mpf_status mpf_network_add_variable(mpf_network *network, const char *name, uint32_t states,
                                    const char *const *labels) {
  return edit(network, [&](Network &model) {
    required(name, "name");
    if (labels == nullptr)
      model.addVariable(name, states);
    else
      model.addVariable(name, textsOf(labels, states, "labels"));
  });
}

mpf_status mpf_network_add_factor(mpf_network *network, const char *name,
                                  const char *const *variables, size_t rank, const double *values,
                                  uint64_t count) {
  return edit(network, [&](Network &model) {
    model.addFactor(required(name, "name"), textsOf(variables, rank, "variables"),
                    spanOf(values, count, "values"));
  });
}

mpf_status mpf_network_add_conditional(mpf_network *network, const char *child,
                                       const char *const *parents, size_t parent_count,
                                       const double *values, uint64_t count) {
  return edit(network, [&](Network &model) {
    model.addConditional(required(child, "child"), textsOf(parents, parent_count, "parents"),
                         spanOf(values, count, "values"));
  });
}

mpf_status mpf_network_add_input(mpf_network *network, const char *name,
                                 const char *const *variables, size_t rank, int may_be_negative,
                                 const double *defaults, uint64_t count) {
  return edit(network, [&](Network &model) {
    if (defaults != nullptr && count == 0)
      fail(ErrorKind::Usage, "0 defaults: null says that there are none");
    model.addInput(
        required(name, "name"), textsOf(variables, rank, "variables"), may_be_negative != 0,
        defaults == nullptr ? std::span<const double>() : spanOf(defaults, count, "defaults"));
  });
}

mpf_status mpf_network_set_values(mpf_network *network, const char *factor, const double *values,
                                  uint64_t count) {
  return callOn(network, [&](mpf_network &handle) { // the lists have no values
    handle.network.setValues(required(factor, "factor"), spanOf(values, count, "values"));
  });
}

mpf_status mpf_network_observe(mpf_network *network, const char *variable, uint32_t state) {
  return edit(network,
              [&](Network &model) { model.observe(required(variable, "variable"), state); });
}

mpf_status mpf_network_observe_label(mpf_network *network, const char *variable,
                                     const char *label) {
  return edit(network, [&](Network &model) {
    model.observe(required(variable, "variable"), std::string_view(required(label, "label")));
  });
}

mpf_status mpf_network_weigh(mpf_network *network, const char *variable, const double *weights,
                             uint64_t count) {
  return edit(network, [&](Network &model) {
    model.addLikelihood(required(variable, "variable"), spanOf(weights, count, "weights"));
  });
}

mpf_status mpf_network_unobserve(mpf_network *network, const char *variable) {
  return edit(network, [&](Network &model) { model.unobserve(required(variable, "variable")); });
}

mpf_status mpf_network_set_queries(mpf_network *network, const char *const *queries, size_t count) {
  return edit(network,
              [&](Network &model) { model.setQueries(textsOf(queries, count, "queries")); });
}

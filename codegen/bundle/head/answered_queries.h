// The queries that a program of any form answers.
#pragma once

#include "dsl/support/query_traits.h"

#include <string>
#include <vector>

namespace mpf {

/// Returns the names of the queries, at least one: that of the program, or those of joined queries.
/// `program`: a bundle or a lane program.
template <class Program> std::vector<std::string> answeredQueries(const Program &program) {
  if (traitsOf(program.kind).outputs != QueryOutputs::Joints)
    return {program.name};
  std::vector<std::string> names;
  for (size_t i = 1; i < program.outputs.size(); ++i) // the first is the evidence
    names.push_back(program.outputs[i].name);
  return names;
}

} // namespace mpf

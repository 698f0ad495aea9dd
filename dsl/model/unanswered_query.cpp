#include "dsl/model/unanswered_query.h"

#include "dsl/source/text_error.h"

namespace mpf {

void refuseUnplanned(const Query &query) {
  const std::string_view instead =
      query.kind == QueryKind::Samples
          ? "draw one variable after the other from P(x), in a list of cases that observe those "
            "drawn before"
          : "d ln Z / d ln f of an entry of a factor f(a, b) is the posterior of its states: P(a, "
            "b)";
  failAt(ErrorKind::Unsupported, query.place, "query {} is not supported yet; {}",
         traitsOf(query.kind).keyword, instead);
}

void refuseNested(const Query &query) {
  failAt(
      ErrorKind::Unsupported, query.place,
      "query {} nests different reductions (marginal MAP), which is not supported yet; P(a, b) of "
      "the variables to maximise over has the value of each of their states",
      query.name);
}

} // namespace mpf

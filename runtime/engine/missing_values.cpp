#include "runtime/engine/missing_values.h"

#include "dsl/support/check.h"

namespace mpf {

void failWithoutValues(const std::string &factor, const std::string &query) {
  fail(ErrorKind::BadInput,
       "factor {} of query {} is declared `input`: its values come from a host program "
       "(runtime/api/mpf.h), or write file(...) or numbers",
       factor, query);
}

} // namespace mpf

#include "dsl/model/resolve/build_context.h"

#include <utility>

namespace mpf {

void reportUnknown(BuildContext &context, SourceRange range, std::string message,
                   std::string hint) {
  if (!context.incomplete)
    context.errorWithHint(range, std::move(message), std::move(hint));
}

} // namespace mpf

#include "dsl/model/resolve/state_ref.h"

#include "dsl/syntax/spelling.h"

namespace mpf {

std::optional<uint32_t> stateWithLabel(BuildContext &context, VarId variable,
                                       const std::string &label, SourceRange range) {
  const DomainInfo &domain = *context.domains[variable.index()];
  const auto found = domain.stateOf.find(label);
  if (found != domain.stateOf.end())
    return found->second;
  const std::string &name = context.model.variable(variable).name;
  if (domain.labels.empty()) {
    context.error(range, "'{}' has no labels, its states are 0..{}; found '{}'", excerpt(name),
                  domain.extent - 1, excerpt(label));
    return std::nullopt;
  }
  Suggestion suggestion(label);
  suggestion.offerAll(domain.labels);
  context.errorWithHint(range, fmt::format("'{}' has no state '{}'", excerpt(name), excerpt(label)),
                        suggestion.hint());
  return std::nullopt;
}

std::optional<uint32_t> stateWithIndex(BuildContext &context, VarId variable, uint64_t index,
                                       SourceRange range) {
  const DomainInfo &domain = *context.domains[variable.index()];
  if (index < domain.extent)
    return static_cast<uint32_t>(index);
  context.error(range, "state {} of '{}' is outside 0..{}", index,
                excerpt(context.model.variable(variable).name), domain.extent - 1);
  return std::nullopt;
}

} // namespace mpf

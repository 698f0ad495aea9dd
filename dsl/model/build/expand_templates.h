// `for i in 0..n, j in 0..m: ...`: runs the body once per combination of the indices.
//
// Always ends: ranges are evaluated before their first round, rounds are counted against
// ModelLimits::maxTemplateSteps, empty ranges (last <= first) have none.
#pragma once

#include "dsl/model/resolve/build_context.h"

#include <functional>
#include <unordered_set>

namespace mpf {

/// Rounds go in the order written, the last index fastest; within a round the body's declarations
/// in theirs. A declaration that reported an error is not tried again in later rounds: one mistake,
/// one message, with a note that names the round.
class TemplateExpander {
public:
  /// `body` handles any declaration but `for`, with context.loop set to the round's indices.
  TemplateExpander(BuildContext &context, std::function<void(const ast::Decl &)> body)
      : context_(context), body_(std::move(body)) {}

  void expand(const ast::ForDecl &loop);

private:
  void expandRange(const ast::ForDecl &loop, size_t position);
  void runBody(const ast::ForDecl &loop);
  bool checkIndexName(const ast::ForRange &range);

  BuildContext &context_;
  std::function<void(const ast::Decl &)> body_;
  std::unordered_set<const void *> failed_; ///< declarations and ranges, looked up only
  bool stopped_ = false;                    ///< a limit was reached
};

} // namespace mpf

// `for i in 0..n, j in 0..m: ...`: runs the body once per combination of the indices.
//
// Expansion always ends: the bounds of a range are evaluated before its first round, and the rounds
// of all ranges together are limited by ModelLimits::maxTemplateSteps. A range with last <= first
// has no rounds. At most 64 indices may be around one declaration.
#pragma once

#include "dsl/model/resolve/build_context.h"

#include <functional>
#include <unordered_set>

namespace mpf {

/// The expander. The last index is the fastest. In each round the declarations of the body are
/// handled in the order written. A declaration that reported an error is not tried in later rounds,
/// so that one mistake gives one message; a note names the round.
class TemplateExpander {
public:
  /// `body` handles any declaration but `for`, with context.loop set to the round's indices.
  TemplateExpander(BuildContext &context, std::function<void(const ast::Decl &)> body)
      : context_(context), body_(std::move(body)) {}

  void expand(const ast::ForDecl &loop);

private:
  void expandRange(const ast::ForDecl &loop, size_t position);
  void runBody(const ast::ForDecl &loop);
  /// Runs the rounds of one range for one value of its index.
  void runRound(const ast::ForDecl &loop, size_t position);

  BuildContext &context_;
  std::function<void(const ast::Decl &)> body_;
  std::unordered_set<const void *> failed_; ///< declarations and ranges; only looked up
  bool stopped_ = false;                    ///< a limit was reached
};

} // namespace mpf

#include "dsl/model/build/expand_templates.h"

#include "dsl/model/resolve/language_expression.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>

namespace mpf {

namespace {
/// The most indices around one declaration. It bounds the recursion; no model needs more.
constexpr size_t kMaxLoopDepth = 64;
} // namespace

void TemplateExpander::expand(const ast::ForDecl &loop) {
  if (context_.loop.size() + loop.ranges.size() > kMaxLoopDepth) {
    context_.error(loop.ranges.front().range,
                   "{} loop indices around one declaration, the limit is {}",
                   context_.loop.size() + loop.ranges.size(), kMaxLoopDepth);
    stopped_ = true;
    return;
  }
  expandRange(loop, 0);
}

bool TemplateExpander::checkIndexName(const ast::ForRange &range) {
  const std::string &name = range.index.text;
  if (const Symbol *symbol = context_.symbols.find(name)) {
    context_.error(range.index.range, "loop index '{}' is already declared as {}", excerpt(name),
                   symbol->kindName());
    context_.diagnostics.note(symbol->place, "first declared here");
    return false;
  }
  if (std::ranges::any_of(context_.loop, [&](const LoopIndex &i) { return i.name == name; })) {
    context_.error(range.index.range, "loop index '{}' is already the index of an outer loop",
                   excerpt(name));
    return false;
  }
  return true;
}

void TemplateExpander::expandRange(const ast::ForDecl &loop, size_t position) {
  if (position == loop.ranges.size())
    return runBody(loop);
  const ast::ForRange &range = loop.ranges[position];
  if (failed_.contains(&range))
    return;
  const auto first =
      foldInteger(context_, range.first, "the start of a range", INT64_MIN, INT64_MAX);
  const auto last = foldInteger(context_, range.last, "the end of a range", INT64_MIN, INT64_MAX);
  if (!first || !last || !checkIndexName(range)) {
    failed_.insert(&range);
    return;
  }
  for (int64_t value = *first; value < *last && !stopped_; ++value) {
    if (++context_.templateSteps > context_.options.limits.maxTemplateSteps) {
      context_.error(range.range, "the loops go through more than {} rounds, the limit",
                     context_.options.limits.maxTemplateSteps);
      stopped_ = true;
      return;
    }
    context_.loop.push_back({range.index.text, value});
    expandRange(loop, position + 1);
    context_.loop.pop_back();
  }
}

void TemplateExpander::runBody(const ast::ForDecl &loop) {
  for (const ast::Decl &decl : loop.body) {
    if (stopped_ || context_.diagnostics.full())
      return;
    if (const auto *nested = std::get_if<ast::ForDecl>(&decl.node)) {
      expand(*nested);
      continue;
    }
    if (!failed_.empty() && failed_.contains(&decl))
      continue;
    const size_t errorsBefore = context_.diagnostics.errorCount();
    body_(decl);
    if (context_.diagnostics.errorCount() == errorsBefore)
      continue;
    failed_.insert(&decl);
    std::string round;
    for (const LoopIndex &index : context_.loop)
      round +=
          fmt::format("{}{} = {}", round.empty() ? "" : ", ", excerpt(index.name), index.value);
    context_.diagnostics.note(context_.at(decl.range), "in the round with {}", round);
  }
}

} // namespace mpf

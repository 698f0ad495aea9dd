#include "dsl/model/build/expand_templates.h"

#include "dsl/model/mpf_names.h"
#include "dsl/model/resolve/index_list.h"
#include "dsl/model/resolve/language_expression.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>

namespace mpf {

namespace {
/// The most indices around one declaration. It bounds the recursion; no model needs more.
constexpr size_t kMaxLoopDepth = 64;

/// Marks the factors below a loop that has an error: queries over them need no second message.
void breakFactors(BuildContext &context, const ast::ForDecl &loop) {
  for (const ast::Decl &decl : loop.body)
    if (const auto *factor = std::get_if<ast::FactorDecl>(&decl.node))
      context.factors.declareBroken(factor->name.text);
    else if (const auto *prob = std::get_if<ast::ProbDecl>(&decl.node))
      context.factors.declareBroken(probName(prob->child.name.text));
    else if (const auto *inner = std::get_if<ast::ForDecl>(&decl.node))
      breakFactors(context, *inner);
}

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

void TemplateExpander::expandRange(const ast::ForDecl &loop, size_t position) {
  if (position == loop.ranges.size())
    return runBody(loop);
  const ast::Expr &range = loop.ranges[position];
  if (failed_.contains(&range))
    return;
  const auto list = resolveList(context_, range.children[1]);
  if (!list || !checkIndexName(context_, range)) {
    failed_.insert(&range);
    breakFactors(context_, loop);
    return;
  }
  IndexScope index(context_, range.children[0].name);
  for (uint64_t i = 0; i < list->count && !stopped_; ++i) {
    if (++context_.totals.templateSteps > context_.options.limits.maxTemplateSteps) {
      context_.beyondLimit(range.range,
                           fmt::format("the loops go through more than {} rounds, the limit",
                                       context_.options.limits.maxTemplateSteps));
      stopped_ = true;
      return;
    }
    index.set(list->at(i));
    runRound(loop, position);
  }
}

void TemplateExpander::runRound(const ast::ForDecl &loop, size_t position) {
  const ast::Expr &range = loop.ranges[position];
  if (range.children.size() > 2) {
    if (failed_.contains(&range))
      return;
    const auto holds =
        foldNumber(context_, range.children[2], "the condition of a range", ParamUse::Constant);
    if (!holds) {
      failed_.insert(&range);
      breakFactors(context_, loop);
    }
    if (!holds || *holds == 0)
      return;
  }
  expandRange(loop, position + 1);
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

#include "dsl/model/resolve/local_names.h"

#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace mpf {

const CallArgument *findArgument(const BuildContext &context, const std::string &name) {
  if (context.call == nullptr)
    return nullptr;
  const std::vector<ast::Argument> &declared = context.call->function->decl->arguments;
  for (size_t i = 0; i < declared.size(); ++i)
    if (declared[i].name.text == name)
      return &context.call->arguments[i];
  return nullptr;
}

std::optional<size_t> findBinding(const BuildContext &context, const std::string &name) {
  if (context.where == nullptr)
    return std::nullopt;
  const auto found = context.where->places->find(name);
  const bool isSeen =
      found != context.where->places->end() && found->second < context.where->bindings.size();
  return isSeen ? std::optional(found->second) : std::nullopt;
}

bool isLocalName(const BuildContext &context, const std::string &name) {
  return findLoopIndex(context, name) != nullptr || findArgument(context, name) != nullptr ||
         findBinding(context, name).has_value();
}

namespace {

/// Replaces the current place, and returns the one before.
LocalPlace exchangePlace(BuildContext &context, LocalPlace place) {
  return {std::exchange(context.call, place.call), std::exchange(context.where, place.where),
          std::exchange(context.loop, std::move(place.loop)),
          std::exchange(context.source, std::move(place.source))};
}

} // namespace

InsideCall::InsideCall(BuildContext &context, CallFrame &frame) : context_(context), frame_(frame) {
  frame.caller = exchangePlace(context, {&frame, nullptr, {}, frame.function->source});
}

InsideCall::~InsideCall() { exchangePlace(context_, std::move(frame_.caller)); }

InsideCaller::InsideCaller(BuildContext &context)
    : context_(context), body_(exchangePlace(context, LocalPlace(context.call->caller))) {}

InsideCaller::~InsideCaller() { exchangePlace(context_, std::move(body_)); }

InsideBinding::InsideBinding(BuildContext &context, size_t count)
    : context_(context), outer_(context.where), names_(*context.where) {
  names_.bindings = names_.bindings.first(count);
  context.where = &names_;
  const auto first = context.loop.begin() + static_cast<ptrdiff_t>(names_.loops);
  hidden_.assign(std::make_move_iterator(first), std::make_move_iterator(context.loop.end()));
  context.loop.resize(names_.loops);
}

InsideBinding::~InsideBinding() {
  context_.where = outer_;
  std::ranges::move(hidden_, std::back_inserter(context_.loop));
}

WhereScope::WhereScope(BuildContext &context, std::span<const ast::Binding> bindings)
    : context_(context), names_{bindings, context.loop.size(), &places_} {
  for (size_t i = 0; i < bindings.size(); ++i)
    places_.try_emplace(bindings[i].name.text, i);
  if (!bindings.empty())
    context.where = &names_;
}

WhereScope::~WhereScope() { context_.where = nullptr; }

bool WhereScope::check() {
  for (size_t i = 0; i < names_.bindings.size(); ++i) {
    const ast::Name &name = names_.bindings[i].name;
    const Symbol *const symbol = context_.symbols.find(name.text);
    if (symbol == nullptr && findLoopIndex(context_, name.text) == nullptr &&
        findBinding(context_, name.text) == i)
      continue;
    context_.error(name.range, "'{}' behind 'where' is already {}", excerpt(name.text),
                   symbol != nullptr                       ? symbol->kindName()
                   : findBinding(context_, name.text) == i ? "a loop index"
                                                           : "a name behind it");
    if (symbol != nullptr)
      context_.diagnostics.note(symbol->place, "first declared here");
    return false;
  }
  return true;
}

} // namespace mpf

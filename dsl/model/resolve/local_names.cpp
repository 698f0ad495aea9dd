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
  const auto &bindings = context.where->bindings;
  const auto found = std::ranges::find_if(
      bindings, [&](const ast::Binding &binding) { return binding.name.text == name; });
  return found == bindings.end() ? std::nullopt
                                 : std::optional(static_cast<size_t>(found - bindings.begin()));
}

bool isLocalName(const BuildContext &context, const std::string &name) {
  return findLoopIndex(context, name) != nullptr || findArgument(context, name) != nullptr ||
         findBinding(context, name).has_value();
}

InsideCall::InsideCall(BuildContext &context, const CallFrame &frame)
    : context_(context), call_(std::exchange(context.call, &frame)),
      where_(std::exchange(context.where, nullptr)), loop_(std::exchange(context.loop, {})),
      source_(std::exchange(context.source, frame.function->source)) {}

InsideCall::~InsideCall() {
  context_.call = call_;
  context_.where = where_;
  context_.loop = std::move(loop_);
  context_.source = std::move(source_);
}

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
    : context_(context), names_{bindings, context.loop.size()} {
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
    return false;
  }
  return true;
}

} // namespace mpf

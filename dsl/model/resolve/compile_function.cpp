// Calls of functions of the text, and names behind `where`. A call is written out where it stands.
#include "dsl/model/resolve/call_function.h"
#include "dsl/model/resolve/expression_compiler.h"
#include "dsl/model/resolve/local_names.h"
#include "dsl/syntax/ast_names.h"
#include "dsl/syntax/spelling.h"

namespace mpf {

namespace {

/// The deepest nesting of calls, bindings and ranges of folds, which bounds the recursion.
constexpr uint32_t kMaxExpanding = 64;

std::string hintFor(const BuildContext &context, const std::string &name) {
  const std::string own = context.symbols.hintFor<FunctionPtr>(name);
  return own.empty() ? ast::functionHint(name) : own;
}

} // namespace

const FunctionSymbol *findFunction(BuildContext &context, const ast::Expr &call) {
  const Symbol *const symbol = context.symbols.find(call.name);
  const FunctionPtr *const found =
      symbol == nullptr ? nullptr : std::get_if<FunctionPtr>(&symbol->what);
  const FunctionSymbol *const function = found == nullptr ? nullptr : found->get();
  if (function == nullptr) {
    if (symbol != nullptr && !symbol->isBroken())
      context.error(call.range, "'{}' is {}, not a function", excerpt(call.name),
                    symbol->kindName());
    else if (symbol == nullptr)
      reportUnknown(context, call.range, fmt::format("'{}' is not a function", excerpt(call.name)),
                    hintFor(context, call.name));
    return nullptr;
  }
  if (context.call != nullptr && function->order >= context.call->function->order) {
    context.error(call.range, "this call of '{}' leads back to '{}': no function calls itself",
                  excerpt(call.name), excerpt(context.call->function->decl->name.text));
    return nullptr;
  }
  const size_t needed = function->decl->arguments.size();
  if (call.children.size() == needed)
    return function;
  context.error(call.range, "{} has {} argument{}, it needs {}", excerpt(call.name),
                call.children.size(), call.children.size() == 1 ? "" : "s", needed);
  return nullptr;
}

std::optional<CallFrame> makeFrame(BuildContext &context, const FunctionSymbol &function,
                                   const ast::Expr &call, std::span<const VarId> scope,
                                   ParamUse use, std::span<const uint32_t> states) {
  CallFrame frame{&function, !states.empty()};
  for (size_t i = 0; i < call.children.size(); ++i) {
    const DomainInfo *const domain = function.domains[i].get();
    ExpressionCompiler compiler(context, scope, use, states);
    if (!compiler.compileArgumentOf(call.children[i], domain,
                                    function.decl->arguments[i].name.text))
      return std::nullopt;
    frame.arguments.push_back({compiler.take().code, &call.children[i], domain});
  }
  return frame;
}

bool checkNesting(BuildContext &context, SourceRange range) {
  const bool isOk = context.expansion.expanding <= kMaxExpanding;
  if (!isOk)
    context.error(range,
                  "functions, ranges of folds and names behind 'where' are nested deeper than {} "
                  "levels",
                  kMaxExpanding);
  return isOk;
}

bool ExpressionCompiler::compileArgumentOf(const ast::Expr &expr, const DomainInfo *domain,
                                           const std::string &name) {
  return domain == nullptr || domain->labels.empty() ? compile(expr)
                                                     : compileState(expr, {*domain, name});
}

bool ExpressionCompiler::compileDefined(const ast::Expr &call) {
  const FunctionSymbol *const function = findFunction(context_, call);
  if (function == nullptr)
    return false;
  const auto *const body = std::get_if<ast::Expr>(&function->decl->body.node);
  if (body == nullptr) {
    context_.error(call.range,
                   "'{}' gives an array: the whole value of a factor or prob, not part of an "
                   "expression",
                   excerpt(call.name));
    return false;
  }
  const Expanding expanding(context_.expansion);
  if (!checkNesting(context_, call.range))
    return false;
  const size_t errorsBefore = context_.diagnostics.errorCount();
  auto frame = makeFrame(context_, *function, call, scope_, use_, states_);
  if (!frame)
    return false;
  const bool ok = [&] {
    const InsideCall inside(context_, *frame);
    return compile(*body);
  }();
  if (context_.diagnostics.errorCount() > errorsBefore)
    context_.diagnostics.note(context_.at(call.range), "in this call of '{}'", excerpt(call.name));
  return ok;
}

/// Arguments of a call that is the whole value were compiled for any entry. They are compiled again
/// if the body is compiled for one entry: then only the chosen side of a choice counts.
bool ExpressionCompiler::compileArgument(const ast::Expr &expr, const CallArgument &argument) {
  if (!checkNoIndices(context_, expr, "an argument"))
    return false;
  if (states_.empty() || context_.call->isOfEntry)
    return append(argument.code, expr.range);
  const Expanding expanding(context_.expansion);
  const InsideCaller caller(context_);
  return compileArgumentOf(*argument.written, argument.domain, expr.name);
}

bool ExpressionCompiler::append(const std::vector<Instruction> &code, SourceRange range) {
  context_.expansion.steps += code.size();
  if (!countStep(context_, range))
    return false;
  code_.append(code);
  return true;
}

bool ExpressionCompiler::compileBinding(const ast::Expr &expr, size_t binding) {
  if (!checkNoIndices(context_, expr, "a name behind 'where'"))
    return false;
  const Expanding expanding(context_.expansion);
  if (!checkNesting(context_, expr.range))
    return false;
  const ast::Expr &value = context_.where->bindings[binding].value;
  const InsideBinding inside(context_, binding);
  return compile(value);
}

} // namespace mpf

// Calls of functions of the text, and names behind `where`. A call is written out where it stands.
#include "dsl/model/resolve/call_function.h"
#include "dsl/model/resolve/expression_compiler.h"
#include "dsl/model/resolve/local_names.h"
#include "dsl/support/expression/wide_arithmetic.h"
#include "dsl/syntax/ast_names.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {

/// The deepest nesting of calls and bindings, which bounds the recursion.
constexpr uint32_t kMaxCalls = 64;

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
    context.error(call.range, "'{}' is not declared before '{}': a function calls earlier ones",
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
  CallFrame frame{&function, {}};
  for (size_t i = 0; i < call.children.size(); ++i) {
    const DomainInfo *const domain = function.domains[i].get();
    ExpressionCompiler compiler(context, scope, use, states);
    if (!compiler.compileArgumentOf(call.children[i], domain,
                                    function.decl->arguments[i].name.text))
      return std::nullopt;
    frame.arguments.push_back({compiler.take().code, call.children[i].range, domain});
  }
  return frame;
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
  if (context_.expansion.expanding > kMaxCalls) {
    context_.error(call.range, "functions and folds are nested deeper than {} levels", kMaxCalls);
    return false;
  }
  const size_t errorsBefore = context_.diagnostics.errorCount();
  const auto frame = makeFrame(context_, *function, call, scope_, use_, states_);
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

bool ExpressionCompiler::compileArgument(const ast::Expr &expr, const CallArgument &argument) {
  return noIndices(expr, "an argument") && append(argument.code, expr.range);
}

bool ExpressionCompiler::append(const std::vector<Instruction> &code, SourceRange range) {
  context_.expansion.steps += code.size();
  if (!countStep(range))
    return false;
  if (states_.empty()) {
    code_.insert(code_.end(), code.begin(), code.end());
    return true;
  }
  return appendAt(code, range);
}

/// Appends code of an argument for one entry. makeFrame() compiled the argument for any entry if
/// the whole value is a call.
bool ExpressionCompiler::appendAt(const std::vector<Instruction> &code, SourceRange range) {
  std::vector<size_t> starts; // of the numbers on the stack
  const auto pop = [&starts] {
    const size_t start = starts.back();
    starts.pop_back();
    return start;
  };
  for (const Instruction &instruction : code) {
    const OpCode op = instruction.code;
    if (op <= OpCode::Param) {
      starts.push_back(code_.size());
      code_.push_back(
          op == OpCode::State
              ? Instruction{OpCode::Constant, 0, static_cast<double>(states_[instruction.slot])}
              : instruction);
    } else if (isForBuilding(op)) {
      const std::vector<double> *const array =
          op == OpCode::Entry ? context_.readArrays.entries.arrays[instruction.slot].get()
                              : nullptr;
      const double index = code_.back().value; // no param that varies is an index
      const auto end = array ? static_cast<double>(array->size()) : instruction.slot;
      if (array != nullptr && index >= 0 && index < end)
        code_.back().value = (*array)[static_cast<size_t>(index)];
      if (!(index >= 0 && index < end && index == std::floor(index)) ||
          std::isnan(code_.back().value)) {
        context_.error(range, "this argument uses an index outside of its array, or an entry that "
                              "is no number");
        return false;
      }
    } else if (op == OpCode::Select) {
      starts.resize(starts.size() - 2);
      code_.push_back(instruction);
    } else if (op < OpCode::Or) {
      apply(op, starts.back());
    } else {
      const size_t right = pop();
      combine(op, starts.back(), right);
    }
  }
  return true;
}

bool ExpressionCompiler::compileBinding(const ast::Expr &expr, size_t binding) {
  if (!noIndices(expr, "a name behind 'where'"))
    return false;
  const Expanding expanding(context_.expansion);
  if (context_.expansion.expanding > kMaxCalls) {
    context_.error(expr.range, "names behind 'where' are nested deeper than {} levels", kMaxCalls);
    return false;
  }
  const ast::Expr &value = context_.where->bindings[binding].value;
  const InsideBinding inside(context_, binding);
  return compile(value);
}

} // namespace mpf

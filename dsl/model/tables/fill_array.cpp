// Tables from array literals, also from those that are the bodies of functions.
#include "dsl/model/resolve/call_function.h"
#include "dsl/model/resolve/variable_ref.h"
#include "dsl/model/tables/build_table.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>

namespace mpf {

bool coversLast(const TableOwner &owner, std::span<const uint64_t> shape,
                std::span<const uint32_t> extents) {
  return owner.places.empty() && !shape.empty() && shape.size() < extents.size() &&
         std::ranges::equal(shape, extents.last(shape.size()),
                            [](uint64_t a, uint32_t b) { return a == uint64_t{b}; });
}

bool readsStates(const Expression &expression) {
  return std::ranges::any_of(expression.code,
                             [](const Instruction &i) { return i.code == OpCode::State; });
}

namespace {

/// Fills a block of a table from an array that covers its last axes.
class LastAxesFiller {
public:
  LastAxesFiller(BuildContext &context, const ast::ArrayLiteral &array, const TableOwner &owner,
                 uint64_t begin, std::span<double> out, TableNotes &notes)
      : context_(context), array_(array), owner_(owner),
        front_(std::span(owner.scope).first(owner.scope.size() - array.shape.size())),
        begin_(begin), out_(out), notes_(notes) {}

  bool fill() {
    const uint64_t elements = array_.values.size(), rounds = out_.size() / elements;
    for (uint64_t round = 0; round < rounds; ++round)
      std::ranges::copy(array_.values, out_.subspan(round * elements).begin());
    bool isOk = true, depends = false;
    for (const ast::ComputedElement &element : array_.computed) {
      const auto value = compileExpression(context_, element.expr, front_);
      const EntryRun run{front_, begin_ / elements, rounds, begin_ + element.index, elements};
      isOk &= value && fillRun(context_, *value, element.expr, owner_, run, begin_, out_, notes_);
      depends |= value && readsStates(*value);
    }
    if (isOk && !depends && rounds > 1 && context_.constantRows.insert(&array_).second)
      context_.diagnostics.report(
          {Severity::Warning, context_.at(array_.range),
           fmt::format("all rows of {} are equal: nothing in them depends on {}",
                       excerpt(owner_.name, 80), scopeText(context_.model, front_)),
           "leave these variables out, or write all rows"});
    return isOk;
  }

private:
  BuildContext &context_;
  const ast::ArrayLiteral &array_;
  const TableOwner &owner_;
  const std::span<const VarId> front_; ///< the variables that the elements see
  const uint64_t begin_;
  const std::span<double> out_;
  TableNotes &notes_;
};

} // namespace

bool fillArray(BuildContext &context, const ast::ArrayLiteral &array, const TableOwner &owner,
               std::span<const uint32_t> extents, uint64_t begin, std::span<double> out,
               TableNotes &notes) {
  if (coversLast(owner, array.shape, extents))
    return LastAxesFiller(context, array, owner, begin, out, notes).fill();
  if (!fits(context, array.shape, Axes::Same, array.values.size(), owner, extents, array.range))
    return false;
  std::ranges::copy(array.values, out.begin());
  bool ok = true;
  for (const ast::ComputedElement &element : array.computed) {
    const auto value = compileExpression(context, element.expr, {});
    const EntryRun run{{}, 0, 1, begin + element.index, 1};
    ok &= value && fillRun(context, *value, element.expr, owner, run, begin, out, notes);
  }
  return ok;
}

const FunctionSymbol *arrayFunction(const BuildContext &context, const ast::Expr &expr) {
  if (expr.kind != ast::ExprKind::Call || expr.function != ast::Function::None)
    return nullptr;
  const FunctionPtr *const function = context.symbols.findAs<FunctionPtr>(expr.name);
  return function && std::holds_alternative<ast::ArrayLiteral>((*function)->decl->body.node)
             ? function->get()
             : nullptr;
}

bool fillCall(BuildContext &context, const FunctionSymbol &function, const ast::Expr &call,
              const TableOwner &owner, std::span<double> out, TableNotes &notes) {
  if (findFunction(context, call) == nullptr)
    return false;
  std::vector<uint32_t> extents;
  for (const VarId id : owner.scope)
    extents.push_back(context.model.variable(id).extent);
  const auto &body = std::get<ast::ArrayLiteral>(function.decl->body.node);
  const size_t front =
      coversLast(owner, body.shape, extents) ? owner.scope.size() - body.shape.size() : 0;
  auto frame =
      makeFrame(context, function, call, std::span(owner.scope).first(front), ParamUse::Any);
  if (!frame)
    return false;
  const size_t errorsBefore = context.diagnostics.errorCount();
  const bool isOk = [&] {
    const InsideCall inside(context, *frame);
    return fillArray(context, body, owner, extents, 0, out, notes);
  }();
  if (context.diagnostics.errorCount() > errorsBefore)
    context.diagnostics.note(context.at(call.range), "in this call of '{}'", excerpt(call.name));
  return isOk;
}

} // namespace mpf

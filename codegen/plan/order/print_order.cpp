#include "codegen/plan/order/print_order.h"

#include "codegen/plan/program/global_order.h"
#include "codegen/plan/program/slice_copies.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace mpf {

namespace {

/// Returns all variables, those of the plan's order first.
std::vector<VarId> allVariables(const TableProgram &program, const GlobalOrder &positions) {
  std::vector<VarId> all = program.order;
  for (size_t i = 0; i < program.variables.size(); ++i)
    if (positions.position(VarId{i}) == GlobalOrder::kAbsent)
      all.push_back(VarId{i});
  return all;
}

struct Bag {
  std::vector<VarId> scope; ///< most significant first, its own variable last
  size_t parent = 0;        ///< position of the bag above; roots have 0, so that bag 0 links them
};

/// Returns the bags by position in `order`. Eliminates symbolically, least significant variable
/// first.
std::vector<Bag> bagsOf(const TableProgram &program, const GlobalOrder &positions) {
  std::vector<Bag> bags(program.order.size());
  const auto place = [&](const std::vector<VarId> &scope, size_t end) {
    if (end == 0)
      return size_t{0};
    const size_t bag = positions.position(scope[end - 1]);
    bags[bag].scope.insert(bags[bag].scope.end(), scope.begin(),
                           scope.begin() + static_cast<std::ptrdiff_t>(end));
    return bag;
  };
  for (const ProgramTable &table : program.tables)
    if (table.isInput())
      place(table.scope, table.scope.size());
  for (const ProgramOutput &output : program.outputs)
    place(program.table(output.table).scope, program.table(output.table).scope.size());
  for (size_t i = bags.size(); i-- > 0;) {
    std::vector<VarId> &scope = bags[i].scope;
    scope.push_back(program.order[i]);
    positions.sort(scope);
    scope.erase(std::unique(scope.begin(), scope.end()), scope.end());
    const std::vector<VarId> bucket = scope;
    bags[i].parent = place(bucket, bucket.size() - 1);
  }
  return bags;
}

} // namespace

std::string printOrder(const TableProgram &planned) {
  const TableProgram program = withoutCopies(planned);
  std::string text;
  for (const VarId id : allVariables(program, GlobalOrder(program)))
    fmt::format_to(std::back_inserter(text), "{}{}", text.empty() ? "" : " ", id.value);
  return text + "\n";
}

std::string printDecomposition(const TableProgram &planned) {
  const TableProgram program = withoutCopies(planned);
  const GlobalOrder positions(program);
  std::vector<Bag> bags = bagsOf(program, positions);
  for (const VarId id : allVariables(program, positions))
    if (positions.position(id) == GlobalOrder::kAbsent)
      bags.push_back({{id}, 0});
  size_t largest = 0;
  for (const Bag &bag : bags)
    largest = std::max(largest, bag.scope.size());
  std::string text = fmt::format("s td {} {} {}\n", bags.size(), largest, program.variables.size());
  const auto out = std::back_inserter(text);
  for (size_t i = 0; i < bags.size(); ++i) {
    fmt::format_to(out, "b {}", i + 1);
    for (const VarId id : bags[i].scope)
      fmt::format_to(out, " {}", id.value + 1);
    text += '\n';
  }
  for (size_t i = 1; i < bags.size(); ++i)
    fmt::format_to(out, "{} {}\n", bags[i].parent + 1, i + 1);
  return text;
}

} // namespace mpf

#include "tools/mpf-bench/shapes/bucket_shape.h"

#include "codegen/kernel/form/build_digit_form.h"
#include "codegen/kernel/form/choose_layouts.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <algorithm>
#include <tuple>

namespace mpf::bench {

namespace {

uint64_t sizeOf(const BucketShape &shape, const Scope &scope) {
  uint64_t elems = 1;
  for (const uint32_t variable : scope)
    elems = saturatingMul(elems, shape.extents[variable]);
  return elems;
}

bool contains(const Scope &scope, uint32_t variable) {
  return std::find(scope.begin(), scope.end(), variable) != scope.end();
}

Scope reducedOf(const BucketShape &shape) {
  Scope reduced;
  for (uint32_t variable = 0; variable < shape.extents.size(); ++variable)
    if (!contains(shape.result, variable))
      reduced.push_back(variable);
  return reduced;
}

TableProgram programOf(const BucketShape &shape) {
  TableProgram program;
  program.name = shape.name;
  for (size_t i = 0; i < shape.extents.size(); ++i)
    program.variables.push_back({fmt::format("v{}", i), shape.extents[i], false});
  return program;
}

TableId addTable(TableProgram &program, const BucketShape &shape, const Scope &scope) {
  ProgramTable table;
  for (const uint32_t variable : scope)
    table.scope.push_back(VarId(variable));
  table.sizeElems = sizeOf(shape, scope);
  program.tables.push_back(std::move(table));
  return TableId(program.tables.size() - 1);
}

struct ChainStepScopes {
  const Scope *factor = nullptr;
  Scope all;     ///< message and factor together
  Scope reduced; ///< here
  Scope after;   ///< what is left
};

std::vector<ChainStepScopes> stepsOf(const BucketShape &shape) {
  std::vector<ChainStepScopes> steps;
  Scope message = shape.operands[0];
  for (size_t f = 1; f < shape.operands.size(); ++f) {
    ChainStepScopes step;
    step.factor = &shape.operands[f];
    step.all = message;
    for (const uint32_t variable : *step.factor)
      if (!contains(message, variable))
        step.all.push_back(variable);
    for (const uint32_t variable : step.all) {
      bool later = contains(shape.result, variable);
      for (size_t g = f + 1; g < shape.operands.size(); ++g)
        later |= contains(shape.operands[g], variable);
      (later ? step.after : step.reduced).push_back(variable);
    }
    message = step.after;
    steps.push_back(std::move(step));
  }
  return steps;
}

double elemsOf(const BucketShape &shape, const Scope &scope) {
  double elems = 1;
  for (const uint32_t variable : scope)
    elems *= shape.extents[variable];
  return elems;
}

} // namespace

BucketShape shapeFromLetters(std::string_view set, std::string_view name,
                             std::string_view expression,
                             const std::vector<std::pair<char, uint32_t>> &extents) {
  BucketShape shape{std::string(set), std::string(name), {}, {{}}, {}};
  for (const auto &[letter, extent] : extents)
    shape.extents.push_back(extent);
  const auto indexOf = [&](char letter) {
    for (size_t i = 0; i < extents.size(); ++i)
      if (extents[i].first == letter)
        return static_cast<uint32_t>(i);
    fail(ErrorKind::Usage, "bucket {}: '{}' of {} has no extent", name, letter, expression);
  };
  const size_t arrow = expression.find("->");
  if (arrow == std::string_view::npos)
    fail(ErrorKind::Usage, "bucket {}: {} has no ->", name, expression);
  for (const char letter : expression.substr(0, arrow))
    if (letter == ',')
      shape.operands.emplace_back();
    else if (letter == '!')
      shape.packed.push_back(static_cast<uint32_t>(shape.operands.size() - 1));
    else
      shape.operands.back().push_back(indexOf(letter));
  for (const char letter : expression.substr(arrow + 2))
    shape.result.push_back(indexOf(letter));
  return shape;
}

DigitForm digitFormOf(const BucketShape &shape, Semiring semiring, bool mergeDigits) {
  TableProgram program = programOf(shape);
  Operation operation;
  for (const Scope &scope : shape.operands)
    operation.operands.push_back(addTable(program, shape, scope));
  for (const uint32_t operand : shape.packed)
    program.tables[operand].packed = true;
  operation.result = addTable(program, shape, shape.result);
  operation.semiring = semiring;
  for (const uint32_t variable : reducedOf(shape))
    operation.reduced.push_back(VarId(variable));
  program.operations.push_back(std::move(operation));
  return buildDigitForm(program, OpId(0), mergeDigits);
}

ChainForm chainFormOf(const BucketShape &shape, Semiring semiring) {
  MPF_CHECK(shape.chain && shape.operands.size() > 1, "bucket {} is no chain", shape.name);
  TableProgram program = programOf(shape);
  const TableId message = addTable(program, shape, shape.operands[0]);
  TableId flowing = message;
  std::vector<OpId> operations;
  for (const ChainStepScopes &step : stepsOf(shape)) {
    Operation operation;
    operation.semiring = semiring;
    operation.operands = {flowing, addTable(program, shape, *step.factor)};
    for (const uint32_t variable : step.reduced)
      operation.reduced.push_back(VarId(variable));
    const bool last = operations.size() + 2 == shape.operands.size();
    flowing = operation.result = addTable(program, shape, last ? shape.result : step.after);
    operations.push_back(OpId(program.operations.size()));
    program.operations.push_back(std::move(operation));
  }
  return buildChainForm(program, message, operations);
}

uint64_t addressesOf(const BucketShape &shape) {
  uint64_t addresses = 1;
  for (const uint32_t extent : shape.extents)
    addresses = saturatingMul(addresses, extent);
  return addresses;
}

uint64_t tableElemsOf(const BucketShape &shape) {
  uint64_t elems = sizeOf(shape, shape.result);
  for (const Scope &scope : shape.operands)
    elems = saturatingAdd(elems, sizeOf(shape, scope));
  return elems;
}

double operationsOf(const BucketShape &shape) {
  if (shape.chain) {
    double operations = 0;
    for (const ChainStepScopes &step : stepsOf(shape))
      operations += 2 * elemsOf(shape, step.all) - elemsOf(shape, step.after);
    return operations;
  }
  // Double, because the addresses of a shape that is not yet shrunk may exceed 64 bits.
  double kept = 1, terms = 1;
  for (const uint32_t variable : shape.result)
    kept *= shape.extents[variable];
  for (const uint32_t variable : reducedOf(shape))
    terms *= shape.extents[variable];
  return kept * (terms * static_cast<double>(shape.operands.size() - 1) + terms - 1);
}

BucketShape shrunkTo(BucketShape shape, double maxOperations, uint64_t maxElems) {
  const uint64_t before = addressesOf(shape);
  while (operationsOf(shape) > maxOperations || tableElemsOf(shape) > maxElems) {
    const Scope &kept = shape.result;
    const bool keptLeft = std::any_of(
        kept.begin(), kept.end(), [&](uint32_t variable) { return shape.extents[variable] > 1; });
    const Scope from = keptLeft ? kept : reducedOf(shape);
    const auto largest = std::max_element(from.begin(), from.end(), [&](uint32_t a, uint32_t b) {
      return shape.extents[a] < shape.extents[b];
    });
    if (largest == from.end() || shape.extents[*largest] < 2)
      fail(ErrorKind::Usage, "bucket {} has {} operations and {} entries at least, not {} and {}",
           shape.name, operationsOf(shape), tableElemsOf(shape), maxOperations, maxElems);
    shape.extents[*largest] /= 2;
  }
  if (const uint64_t after = addressesOf(shape); after < before)
    shape.name += fmt::format("/{:.0f}", static_cast<double>(before) / static_cast<double>(after));
  return shape;
}

namespace {

/// Returns the shape with variables of the same tables adjacent in every table, so that they merge.
BucketShape groupedByKind(const BucketShape &shape) {
  MPF_CHECK(shape.operands.size() < 32, "{} operands", shape.operands.size());
  std::vector<uint32_t> kind(shape.extents.size(), 0); // bit i: in operand i
  for (size_t i = 0; i < shape.operands.size(); ++i)
    for (const uint32_t variable : shape.operands[i])
      kind[variable] |= 1u << i;
  std::vector<uint32_t> position(shape.extents.size());
  for (size_t i = 0; i < shape.result.size(); ++i)
    position[shape.result[i]] = static_cast<uint32_t>(i);
  // A kind takes the place of its first variable; reduced variables stay least significant.
  std::vector<uint32_t> firstOfKind(size_t{1} << shape.operands.size(), UINT32_MAX);
  for (const uint32_t variable : shape.result)
    firstOfKind[kind[variable]] = std::min(firstOfKind[kind[variable]], position[variable]);
  const auto key = [&](uint32_t variable) {
    const bool kept = contains(shape.result, variable);
    return kept ? std::tuple(0, firstOfKind[kind[variable]], position[variable])
                : std::tuple(1, kind[variable], variable);
  };
  BucketShape grouped = shape;
  const auto arrange = [&](Scope &scope) {
    std::sort(scope.begin(), scope.end(), [&](uint32_t a, uint32_t b) { return key(a) < key(b); });
  };
  for (Scope &scope : grouped.operands)
    arrange(scope);
  arrange(grouped.result);
  return grouped;
}

/// The variables of `scope` in the order of the table's digits; those of extent 1 are in no digit.
Scope scopeOf(const BucketShape &shape, const Scope &scope, const DigitForm &form,
              const DigitAccess &access) {
  std::vector<size_t> digits;
  for (size_t d = 0; d < form.digits.size(); ++d)
    if (access.stridesElems[d] != 0)
      digits.push_back(d);
  std::sort(digits.begin(), digits.end(),
            [&](size_t a, size_t b) { return access.stridesElems[a] > access.stridesElems[b]; });
  Scope ordered;
  for (const uint32_t variable : scope)
    if (shape.extents[variable] == 1)
      ordered.push_back(variable);
  for (const size_t d : digits)
    for (const VarId variable : form.digits[d].variables)
      ordered.push_back(static_cast<uint32_t>(variable.index()));
  return ordered;
}

} // namespace

std::vector<BucketShape> laidOut(const BucketShape &shape, size_t orders) {
  if (!shape.layoutsFree)
    return {shape};
  const BucketShape grouped = groupedByKind(shape);
  const DigitForm free = digitFormOf(grouped, {});
  std::vector<BucketShape> shapes;
  for (const std::vector<DigitId> &order : layoutOrders(free, orders)) {
    const DigitForm form = layOut(free, order);
    BucketShape &laid = shapes.emplace_back(grouped);
    laid.layoutsFree = false;
    for (size_t i = 0; i < laid.operands.size(); ++i)
      laid.operands[i] = scopeOf(laid, laid.operands[i], form, form.operands[i]);
    laid.result = scopeOf(laid, laid.result, form, form.result);
  }
  return shapes;
}

} // namespace mpf::bench

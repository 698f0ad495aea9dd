#include "runtime/session/device_tables.h"

#include "codegen/bundle/held_variables.h"
#include "codegen/bundle/table_map.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <string_view>

namespace mpf {

namespace {

/// Returns why runs of the bundle need the host; empty if they need it only to launch.
std::string_view whyHost(const Bundle &bundle) {
  if (isIntegerType(bundle.type))
    return "its tables are of whole numbers";
  if (traitsOf(bundle.kind).decoding)
    return "the host decodes an assignment";
  if (!heldVariables(bundle).empty())
    return "the host divides its posteriors, for each state of a held variable";
  if (bundle.answer)
    return "it was simplified for good (CompileOptions::finalTables), and the host restores the "
           "answer";
  for (const BundleOutput &output : bundle.outputs)
    if (bundle.buffer(output.buffer).packed)
      return "a result is an input of zeros and ones, which the device keeps as bits";
  return {};
}

void addFactor(DeviceTables &tables, const Bundle &bundle, const std::string &factor) {
  const auto number = static_cast<uint32_t>(tables.layout.factors.size());
  for (uint32_t i = 0; i < bundle.inputs.size(); ++i) {
    const BundleInput &input = bundle.inputs[i];
    if (input.factor != factor || input.raw)
      continue;
    if (tables.areHere[i])
      fail(ErrorKind::Usage, "factor {} is named twice", factor);
    if (bundle.buffer(input.buffer).packed)
      fail(ErrorKind::Unsupported,
           "factor {}: the program keeps its zeros and ones as bits; declare it `input`", factor);
    if (tables.layout.factors.size() == number)
      tables.layout.factors.push_back({factor, valueCount(bundle, input)});
    tables.inputs.push_back(i);
    tables.factors.push_back(number);
    tables.areHere[i] = true;
  }
  if (tables.layout.factors.size() == number)
    fail(ErrorKind::Usage, "the program has no input {}", factor);
}

void addResults(DeviceRunLayout &layout, const Bundle &bundle) {
  for (const BundleOutput &output : bundle.outputs) {
    DeviceRunLayout::Table &table = layout.tables.emplace_back();
    table.name = output.name;
    for (const VarId id : output.scope)
      table.variables.push_back(bundle.variables[id.index()].name);
    table.firstElem = layout.resultElems;
    table.sizeElems = bundle.buffer(output.buffer).sizeElems;
    table.isPosterior = output.normalised;
    table.isLogarithm = bundle.logInputs && !table.isPosterior;
    layout.resultElems += table.sizeElems;
  }
}

void checkArray(std::string_view what, uint64_t address, uint64_t elems, uint64_t elemBytes) {
  if (elems != 0 && address == 0)
    fail(ErrorKind::Usage, "the run has no {}", what);
  if (address % elemBytes != 0)
    fail(ErrorKind::Usage, "the {} of a run are aligned to {} bytes", what, elemBytes);
}

} // namespace

DeviceTables deviceTablesOf(const Bundle &bundle, const std::vector<std::string> &factors) {
  if (const std::string_view why = whyHost(bundle); !why.empty())
    fail(ErrorKind::Unsupported, "query {} does not run from device memory: {}", bundle.name, why);
  DeviceTables tables;
  tables.areHere.assign(bundle.inputs.size(), false);
  tables.layout.isDouble = bundle.type == ElementType::F64;
  for (const std::string &factor : factors)
    addFactor(tables, bundle, factor);
  addResults(tables.layout, bundle);
  return tables;
}

void checkDeviceRun(const DeviceRunLayout &layout, const DeviceRun &run) {
  if (run.values.size() != layout.factors.size())
    fail(ErrorKind::Usage, "{} arrays of values for {} factors", run.values.size(),
         layout.factors.size());
  const uint64_t elemBytes = layout.isDouble ? sizeof(double) : sizeof(float);
  for (size_t i = 0; i < run.values.size(); ++i)
    checkArray("values of " + layout.factors[i].name, run.values[i], layout.factors[i].sizeElems,
               elemBytes);
  checkArray("results", run.results, layout.resultElems, elemBytes);
  checkArray("exponents", run.exponents, layout.tables.size(), sizeof(int32_t));
}

} // namespace mpf

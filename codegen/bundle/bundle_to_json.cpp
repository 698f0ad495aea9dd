#include "codegen/bundle/bundle_json.h"
#include "codegen/bundle/postsolve_json.h"
#include "dsl/support/json_text.h"

namespace mpf {

namespace {

using Json = JsonText;

Json ids(const std::vector<VarId> &list) {
  Json out = Json::array();
  for (const VarId id : list)
    out.push_back(id.value);
  return out;
}

template <class T, class F> Json listOf(const std::vector<T> &list, F toJson) {
  Json out = Json::array();
  for (const T &item : list)
    out.push_back(toJson(item));
  return out;
}

Json variableJson(const HeadVariable &variable, std::optional<uint32_t> observed) {
  Json out{{"name", variable.name}, {"extent", variable.extent}};
  if (!variable.labels.empty())
    out["labels"] = variable.labels;
  if (variable.auxiliary)
    out["auxiliary"] = true;
  if (variable.unasked)
    out["unasked"] = true;
  if (observed)
    out["observed"] = *observed;
  return out;
}

Json variablesJson(const Bundle &bundle) {
  Json out = Json::array();
  for (size_t i = 0; i < bundle.variables.size(); ++i)
    out.push_back(variableJson(bundle.variables[i], bundle.evidence.state(VarId{i})));
  return out;
}

Json bufferJson(const BundleBuffer &buffer) {
  Json out{{"name", buffer.name},
           {"arena", buffer.input ? "input" : "work"},
           {"size_elems", buffer.sizeElems},
           {"offset_bytes", buffer.offsetBytes}};
  if (buffer.packed)
    out["packed"] = true;
  return out;
}

Json inputJson(const BundleInput &input) {
  Json out{{"factor", input.factor},
           {"buffer", input.buffer.value},
           {"scope", ids(input.scope)},
           {"layout", ids(input.layout)}};
  if (input.table)
    out["table"] = *input.table;
  if (input.raw)
    out["raw"] = true;
  if (input.rowElems != 0)
    out["row_elems"] = input.rowElems;
  return out;
}

Json accessJson(const BundleAccess &access) {
  Json out{{"buffer", access.buffer.value}, {"strides_elems", access.stridesElems}};
  if (!access.sliceStridesElems.empty())
    out["slice_strides_elems"] = access.sliceStridesElems;
  return out;
}

Json operationJson(const BundleOperation &operation) {
  Json out{{"name", operation.name},
           {"semiring", semiringName(operation.semiring)},
           {"digits", listOf(operation.digits,
                             [](const StridedDigit &digit) -> Json {
                               return {{"extent", digit.extent}, {"reduced", digit.reduced}};
                             })},
           {"operands", listOf(operation.operands, accessJson)},
           {"result", accessJson(operation.result)}};
  if (operation.loop != 0)
    out["loop"] = operation.loop;
  if (operation.accumulates)
    out["accumulates"] = true;
  if (operation.kernel)
    out["kernel"] = *operation.kernel;
  return out;
}

Json chainJson(const BundleChain &chain) {
  return {{"first", chain.first},
          {"count", chain.count},
          {"message", chain.message},
          {"kernel", chain.kernel}};
}

Json kernelJson(const BundleKernel &kernel, BundleText text) {
  Json out{{"name", kernel.name},
           {"grid_blocks", kernel.gridBlocks},
           {"block_threads", kernel.blockThreads},
           {"shared_bytes", kernel.sharedBytes},
           {"predicted_us", kernel.predictedUs}};
  if (text == BundleText::Complete) {
    out["plan"] = kernel.plan;
    out["source"] = kernel.source;
  } else {
    out["plan_bytes"] = kernel.plan.size();
    out["source_bytes"] = kernel.source.size();
  }
  out["cubins"] = listOf(kernel.cubins, [](const BundleCubin &cubin) -> Json {
    return {{"arch", cubin.arch}, {"size_bytes", cubin.contents.size()}};
  });
  if (kernel.tuning)
    out["tuning"] = {{"candidates", kernel.tuning->candidates},
                     {"time_us", kernel.tuning->timeUs},
                     {"model_choice_us", kernel.tuning->modelUs}};
  return out;
}

Json outputJson(const BundleOutput &output) {
  Json out{{"name", output.name},
           {"kind", output.normalised ? "normalised" : "value"},
           {"buffer", output.buffer.value},
           {"layout", ids(output.layout)},
           {"scope", ids(output.scope)}};
  if (output.rowVariables != 0)
    out["row_variables"] = output.rowVariables;
  return out;
}

Json tracebackJson(const BundleTraceback &step) {
  return {{"variable", step.variable.value},
          {"tables", listOf(step.tables, [](const BundleTraceback::Table &table) -> Json {
             return {{"buffer", table.buffer.value}, {"layout", ids(table.layout)}};
           })}};
}

} // namespace

std::string bundleToJson(const Bundle &bundle, BundleText text, int indent) {
  Json out;
  out["format"] = kBundleFormatVersion;
  if (text == BundleText::Summary) {
    out["name"] = bundle.name;
    out["query"] = std::string(queryKindName(bundle.kind));
    out["type"] = std::string(elementTypeName(bundle.type));
  }
  out["forced_log"] = bundle.forcedLog;
  out["log_inputs"] = bundle.logInputs;
  out["signed_values"] = bundle.signedValues;
  out["input_arena_bytes"] = bundle.inputArenaBytes;
  out["work_arena_bytes"] = bundle.workArenaBytes;
  if (text == BundleText::Summary)
    out["variables"] = variablesJson(bundle);
  out["tables"] = listOf(bundle.tables, [](const auto &table) -> Json {
    return {{"size_elems", table->size()}};
  });
  out["inputs"] = listOf(bundle.inputs, inputJson);
  out["buffers"] = listOf(bundle.buffers, bufferJson);
  if (!bundle.sliced.empty()) {
    out["sliced"] = ids(bundle.sliced);
    out["loop_parents"] = bundle.loops.parents();
  }
  out["operations"] = listOf(bundle.operations, operationJson);
  if (!bundle.chains.empty())
    out["chains"] = listOf(bundle.chains, chainJson);
  out["kernels"] = listOf(bundle.kernels,
                          [text](const BundleKernel &kernel) { return kernelJson(kernel, text); });
  if (bundle.tableDriven)
    out["table_driven"] = *bundle.tableDriven;
  out["outputs"] = listOf(bundle.outputs, outputJson);
  out["traceback"] = listOf(bundle.traceback, tracebackJson);
  if (bundle.answer)
    out["answer"] = answerToJson(*bundle.answer);
  return out.dump(indent);
}

} // namespace mpf

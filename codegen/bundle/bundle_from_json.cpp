#include "codegen/bundle/bundle_json.h"
#include "codegen/bundle/json_value.h"
#include "codegen/bundle/postsolve_json.h"
#include "dsl/support/check.h"

namespace mpf {

namespace {

using Json = JsonValue;

[[noreturn]] void reject(const std::string &what) {
  fail(ErrorKind::BadInput, "bundle metadata: {}", what);
}

// Access to fields. Errors name the field, and every number is checked against the range of its
// use.
Json field(const Json &object, const char *key) {
  const std::optional<Json> value = object.member(key);
  if (!value)
    reject(fmt::format("'{}' is missing", key));
  return *value;
}
uint64_t number(const Json &object, const char *key, uint64_t most = UINT64_MAX) {
  const std::optional<uint64_t> value = field(object, key).count();
  if (!value || *value > most)
    reject(fmt::format("'{}' is not a count up to {}", key, most));
  return *value;
}
uint32_t number32(const Json &object, const char *key) {
  return static_cast<uint32_t>(number(object, key, UINT32_MAX));
}
std::string text(const Json &object, const char *key) {
  const std::optional<std::string_view> value = field(object, key).text();
  if (!value)
    reject(fmt::format("'{}' is not a text", key));
  return std::string(*value);
}
bool truth(const Json &object, const char *key) {
  const std::optional<bool> value = field(object, key).truth();
  if (!value)
    reject(fmt::format("'{}' is neither true nor false", key));
  return *value;
}
template <class F> void forList(const Json &object, const char *key, F f) {
  const Json list = field(object, key);
  if (!list.isList())
    reject(fmt::format("'{}' is not a list", key));
  list.forItems(f);
}
uint64_t itemNumber(const Json &item, const char *list, uint64_t most) {
  const std::optional<uint64_t> value = item.count();
  if (!value || *value > most)
    reject(fmt::format("'{}' holds something that is not a count up to {}", list, most));
  return *value;
}

std::vector<VarId> ids(const Json &object, const char *key) {
  std::vector<VarId> list;
  forList(object, key, [&](const Json &item) {
    list.emplace_back(static_cast<size_t>(itemNumber(item, key, UINT32_MAX - 1)));
  });
  return list;
}
BufferId bufferId(const Json &object) {
  return BufferId(static_cast<size_t>(number(object, "buffer", UINT32_MAX - 1)));
}

BundleBuffer buffer(const Json &json) {
  const std::string arena = text(json, "arena");
  if (arena != "input" && arena != "work")
    reject(fmt::format("there is no arena '{}'", arena));
  return {text(json, "name"), number(json, "size_elems"), number(json, "offset_bytes"),
          arena == "input", json.has("packed") && truth(json, "packed")};
}

BundleInput input(const Json &json) {
  BundleInput out{bufferId(json),
                  text(json, "factor"),
                  ids(json, "scope"),
                  ids(json, "layout"),
                  std::nullopt,
                  false,
                  0};
  if (json.has("table"))
    out.table = number32(json, "table");
  if (json.has("raw"))
    out.raw = truth(json, "raw");
  if (json.has("row_elems"))
    out.rowElems = number(json, "row_elems");
  return out;
}

BundleAccess access(const Json &json) {
  BundleAccess out{bufferId(json), {}};
  forList(json, "strides_elems", [&](const Json &item) {
    out.stridesElems.push_back(itemNumber(item, "strides_elems", UINT64_MAX));
  });
  if (json.has("slice_strides_elems"))
    forList(json, "slice_strides_elems", [&](const Json &item) {
      out.sliceStridesElems.push_back(itemNumber(item, "slice_strides_elems", UINT64_MAX));
    });
  return out;
}

BundleOperation operation(const Json &json) {
  BundleOperation out;
  out.name = text(json, "name");
  const std::string semiring = text(json, "semiring");
  const std::optional<Semiring> known = semiringNamed(semiring);
  if (!known)
    reject(fmt::format("there is no semiring '{}'", semiring));
  out.semiring = *known;
  forList(json, "digits", [&](const Json &item) {
    out.digits.push_back({number(item, "extent"), truth(item, "reduced")});
  });
  forList(json, "operands", [&](const Json &item) { out.operands.push_back(access(item)); });
  out.result = access(field(json, "result"));
  if (json.has("loop"))
    out.loop = number32(json, "loop");
  if (json.has("accumulates"))
    out.accumulates = truth(json, "accumulates");
  if (json.has("kernel"))
    out.kernel = number32(json, "kernel");
  return out;
}

BundleChain chain(const Json &json) {
  return {number32(json, "first"), number32(json, "count"), number32(json, "message"),
          number32(json, "kernel")};
}

/// Reads a loop tree. Refuses loops that do not come after the loop around them.
LoopTree loops(const Json &json) {
  std::vector<uint32_t> parents;
  forList(json, "loop_parents", [&](const Json &item) {
    const uint64_t parent = itemNumber(item, "loop_parents", UINT32_MAX);
    if (parent > parents.size())
      reject(fmt::format("loop {} is inside loop {}", parents.size() + 1, parent));
    parents.push_back(static_cast<uint32_t>(parent));
  });
  return LoopTree(std::move(parents));
}

/// Reads the time of a kernel in microseconds.
double timeUs(const Json &object, const char *key) {
  const std::optional<double> value = field(object, key).number();
  if (!value || !(*value > 0))
    reject(fmt::format("'{}' is not a time", key));
  return *value;
}

BundleKernel kernel(const Json &json, BundleBulk &bulk) {
  BundleKernel out;
  out.name = text(json, "name");
  out.plan = text(json, "plan");
  out.source = text(json, "source");
  out.gridBlocks = number(json, "grid_blocks");
  out.blockThreads = number32(json, "block_threads");
  out.sharedBytes = number32(json, "shared_bytes");
  const std::optional<double> predictedUs = field(json, "predicted_us").number();
  if (!predictedUs || !(*predictedUs >= 0))
    reject("'predicted_us' is not a time");
  out.predictedUs = *predictedUs;
  forList(json, "cubins", [&](const Json &item) {
    out.cubins.push_back({text(item, "arch"), {}});
    bulk.cubinBytes.push_back(number(item, "size_bytes"));
  });
  if (json.has("tuning")) {
    const Json tuning = field(json, "tuning");
    out.tuning = KernelTuning{number32(tuning, "candidates"), timeUs(tuning, "time_us"),
                              timeUs(tuning, "model_choice_us")};
  }
  return out;
}

BundleOutput output(const Json &json) {
  const std::string kind = text(json, "kind");
  if (kind != "value" && kind != "normalised")
    reject(fmt::format("there is no output kind '{}'", kind));
  return {{text(json, "name"), ids(json, "scope"), kind == "normalised"},
          bufferId(json),
          ids(json, "layout"),
          json.has("row_variables") ? number32(json, "row_variables") : 0};
}

BundleTraceback traceback(const Json &json) {
  BundleTraceback out;
  out.variable = VarId(static_cast<size_t>(number(json, "variable", UINT32_MAX - 1)));
  forList(json, "tables", [&](const Json &item) {
    out.tables.push_back({bufferId(item), ids(item, "layout")});
  });
  return out;
}

} // namespace

void bundleFromJson(std::string_view json, Bundle &bundle, BundleBulk &bulk) {
  const std::optional<JsonDocument> document = JsonDocument::parse(json);
  if (!document)
    reject("not valid JSON");
  const Json root = document->root();
  if (const uint64_t format = number(root, "format"); format != kBundleFormatVersion)
    reject(fmt::format("format {} is not {}", format, kBundleFormatVersion));
  bundle.forcedLog = truth(root, "forced_log");
  bundle.logInputs = truth(root, "log_inputs");
  bundle.signedValues = truth(root, "signed_values");
  bundle.inputArenaBytes = number(root, "input_arena_bytes");
  bundle.workArenaBytes = number(root, "work_arena_bytes");
  forList(root, "tables",
          [&](const Json &item) { bulk.tableElems.push_back(number(item, "size_elems")); });
  forList(root, "inputs", [&](const Json &item) { bundle.inputs.push_back(input(item)); });
  forList(root, "buffers", [&](const Json &item) { bundle.buffers.push_back(buffer(item)); });
  if (root.has("sliced"))
    bundle.sliced = ids(root, "sliced");
  if (root.has("loop_parents"))
    bundle.loops = loops(root);
  forList(root, "operations",
          [&](const Json &item) { bundle.operations.push_back(operation(item)); });
  if (root.has("chains"))
    forList(root, "chains", [&](const Json &item) { bundle.chains.push_back(chain(item)); });
  forList(root, "kernels", [&](const Json &item) { bundle.kernels.push_back(kernel(item, bulk)); });
  if (root.has("table_driven"))
    bundle.tableDriven = number32(root, "table_driven");
  forList(root, "outputs", [&](const Json &item) { bundle.outputs.push_back(output(item)); });
  forList(root, "traceback",
          [&](const Json &item) { bundle.traceback.push_back(traceback(item)); });
  if (const std::optional<Json> answer = root.member("answer"))
    bundle.answer = answerFromJson(*answer);
}

} // namespace mpf

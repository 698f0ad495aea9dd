#include "tools/mpfc/explain/print_json.h"

#include "codegen/kernel/plan/kernel_shape.h"
#include "dsl/support/json_text.h"

namespace mpf {

namespace {

using Json = JsonText;

Json networkJson(const NetworkFacts &network) {
  Json domains = Json::array();
  for (const auto &[extent, variables] : network.domains)
    domains.push_back({{"extent", extent}, {"variables", variables}});
  return {{"variables", network.variables},
          {"observed", network.observed},
          {"one_state", network.single},
          {"components", network.components},
          {"domains", domains},
          {"log2_states", network.log2States},
          {"edges", network.edges},
          {"largest_degree", network.largestDegree},
          {"degeneracy", network.degeneracy},
          {"factors", network.factors},
          {"unbound_factors", network.unboundFactors},
          {"largest_factor", network.largestFactor},
          {"largest_scope", network.largestScope},
          {"entries", network.entries},
          {"zero_entries", network.zeroEntries},
          {"table_bytes", network.tableBytes}};
}

Json passesJson(const PassTable &table) {
  Json rows = Json::array();
  for (const PassRow &row : table.rows)
    rows.push_back({{"pass", row.pass}, {"changed", row.changed}, {"values", row.values}});
  return {{"title", table.title}, {"columns", table.columns}, {"rows", rows}};
}

Json bucketJson(const BucketFacts &bucket) {
  return {{"name", bucket.name},
          {"parent", bucket.parent == BucketFacts::kNone ? Json(nullptr) : Json(bucket.parent)},
          {"downward", bucket.downward},
          {"operands", bucket.operands},
          {"reduced", bucket.reduced},
          {"variables", bucket.variables},
          {"addresses", bucket.addresses},
          {"entries", bucket.entries},
          {"runs", bucket.runs},
          {"cpu_us", bucket.cpuUs},
          {"gpu_us", bucket.gpuUs},
          {"on_gpu", bucket.onGpu},
          {"specialised_kernel", bucket.specialisedKernel},
          {"cpu_compiled", bucket.cpuCompiled},
          {"floor_bytes_us", bucket.floorBytesUs},
          {"floor_arithmetic_us", bucket.floorArithmeticUs}};
}

Json dearJson(const QueryExplanation &query, const DearBucket &dear) {
  Json out{{"bucket", dear.bucket}, {"name", query.buckets[dear.bucket].name},
           {"share", dear.share},   {"table_driven_us", dear.tableDrivenUs},
           {"own_us", dear.ownUs},  {"kernel", nullptr}};
  if (!dear.kernel)
    return out;
  const KernelHeader &kernel = dear.kernel->header();
  Json terms = Json::object();
  for (const CostTerm &term : kernel.costTerms)
    terms[term.name] = term.timeUs;
  out["kernel"] = {{"name", kernel.name},
                   {"family", dear.kernel->family()},
                   {"predicted_us", kernel.predictedUs},
                   {"floor_us", kernel.floorUs},
                   {"cost_terms_us", terms},
                   {"grid_blocks", kernel.launch.gridBlocks},
                   {"block_threads", kernel.launch.blockThreads},
                   {"shared_bytes", kernel.launch.sharedBytes},
                   {"estimated_registers", kernel.launch.estimatedRegisters}};
  return out;
}

Json memoryJson(const MemoryFacts &memory) {
  Json steps = Json::array();
  for (const MemoryStep &step : memory.steps)
    steps.push_back(std::vector<Json>{step.operation, step.liveBytes});
  return {{"peak_bytes", memory.peakBytes == UINT64_MAX ? Json(nullptr) : Json(memory.peakBytes)},
          {"log2_peak_bytes", memory.log2PeakBytes},
          {"process_bytes", memory.processBytes},
          {"input_bytes", memory.inputBytes},
          {"work_bytes", memory.workBytes},
          {"bound_bytes", memory.boundBytes ? Json(*memory.boundBytes) : Json(nullptr)},
          {"bound_source", memory.boundSource},
          {"device_bytes", memory.deviceBytes},
          {"worst_operation", memory.worstOperation},
          {"live_bytes", steps}};
}

Json chainJson(const ChainFacts &chain) {
  return {{"first", chain.first},
          {"count", chain.count},
          {"message_entries", chain.messageEntries},
          {"alone_us", chain.aloneUs},
          {"chain_us", chain.chainUs},
          {"kernel", chain.kernel}};
}

Json lanesJson(const LaneFacts &lanes) {
  Json frontier = Json::array();
  for (const FrontierTable &table : lanes.frontier)
    frontier.push_back({{"table", table.name},
                        {"evidence_digits", table.variables},
                        {"rows", table.rows},
                        {"row_elems", table.rowElems}});
  return {{"common_operations", lanes.commonOperations},
          {"common_multiply_adds", lanes.commonMultiplyAdds},
          {"shared_tables", lanes.sharedTables},
          {"shared_elems", lanes.sharedElems},
          {"frontier", frontier},
          {"frontier_bound_elems", lanes.tableElems},
          {"evidence_digits", lanes.digits},
          {"findings_by_themselves", lanes.pickedAlone},
          {"gathers", lanes.gathers},
          {"products", lanes.products},
          {"multiply_adds", lanes.multiplyAdds},
          {"lane_elems", lanes.laneElems},
          {"lane_cost", lanes.laneCost}};
}

Json engineJson(const EngineFacts &engine) {
  Json out{{"engine", engine.name},
           {"device", engine.device},
           {"refused", engine.refused},
           {"chosen", engine.chosen},
           {"why", engine.why}};
  if (engine.refused)
    return out;
  out["rows_per_second"] = engine.rowsPerSecond;
  out["list_seconds"] = engine.listSeconds;
  out["cases_at_once"] = engine.casesAtOnce;
  out["at_once"] = engine.atOnce;
  out["block_cases"] = engine.blockCases;
  out["case_bytes"] = engine.caseBytes;
  out["row_bytes"] = engine.rowBytes;
  out["sent_code_bytes"] = engine.sentCodeBytes;
  out["shared_bytes"] = engine.sharedBytes;
  if (engine.lanes)
    out["lanes"] = lanesJson(*engine.lanes);
  return out;
}

Json casesJson(const QueryExplanation &query) {
  const CaseFacts &cases = *query.cases;
  Json engines = Json::array();
  for (const EngineFacts &engine : cases.engines)
    engines.push_back(engineJson(engine));
  Json varying = Json::array();
  for (const VaryingFacts &table : cases.varying)
    varying.push_back({{"table", table.name}, {"entries", table.elems}, {"by", table.by}});
  return {{"source", cases.source},
          {"rows", cases.rows ? Json(*cases.rows) : Json(nullptr)},
          {"likely_rows", cases.likely ? Json(*cases.likely) : Json(nullptr)},
          {"expected_rows", cases.expected},
          {"observed", cases.observed},
          {"likelihoods", cases.likelihoods},
          {"params", cases.params},
          {"tables", cases.tables},
          {"kept", cases.kept},
          {"varying", varying},
          {"bound_bytes", query.memory.boundBytes ? Json(*query.memory.boundBytes) : Json(nullptr)},
          {"bound_source", query.memory.boundSource},
          {"engines", engines}};
}

Json timelineJson(const TimelineFacts &timeline) {
  Json bars = Json::array();
  for (const TimelineBarFacts &bar : timeline.bars)
    bars.push_back(
        {{"lane", timeline.lanes[bar.lane]},
         {"what", bar.what},
         {"operations", bar.operations},
         {"bucket", bar.bucket == TimelineBarFacts::kNone ? Json(nullptr) : Json(bar.bucket)},
         {"bytes", bar.bytes},
         {"superstep", bar.superstep},
         {"start_us", bar.startUs},
         {"end_us", bar.endUs}});
  return {{"lanes", timeline.lanes},
          {"open_us", timeline.openUs},
          {"end_us", timeline.endUs},
          {"bars", bars}};
}

Json queryJson(const QueryExplanation &query) {
  Json out{{"query", query.query},
           {"kind", query.kind},
           {"semiring", query.semiring},
           {"target", query.target},
           {"element_type", query.element}};
  if (!query.joined.empty())
    out["joined"] = query.joined;
  out["warnings"] = Json::array();
  for (const ExplainWarning &warning : query.warnings)
    out["warnings"].push_back({{"kind", warningName(warning.kind)}, {"text", warning.text}});
  out["advice"] = query.advice;
  if (query.network)
    out["network"] = networkJson(*query.network);
  if (query.cases) {
    out["asked_device"] = query.askedDevice;
    out["auto_device"] = query.autoDevice;
    out["cases"] = casesJson(query);
    return out;
  }
  out["passes"] = Json::array();
  for (const PassTable &table : query.passes)
    out["passes"].push_back(passesJson(table));
  out["planned"] = query.planned;
  if (!query.planned)
    return out;
  out["order"] = query.order;
  out["sliced"] = query.sliced;
  out["slices"] = query.slices;
  out["slices_at_once"] = query.slicesAtOnce;
  out["slices_at_once_bytes"] = query.replicaBytes;
  out["induced_width"] = query.inducedWidth;
  out["log2_largest_clique"] = query.log2LargestClique;
  out["log2_largest_message"] = query.log2LargestMessage;
  out["log2_operations"] = query.log2Ops;
  out["shared_buckets"] = query.sharedBuckets();
  out["laid_out_tables"] = query.laidOutTables;
  out["packed_tables"] = query.packedTables;
  out["packed_elems"] = query.packedElems;
  out["memory"] = memoryJson(query.memory);
  out["asked_device"] = query.askedDevice;
  out["auto_device"] = query.autoDevice;
  out["schedule"] = query.schedule;
  out["placements"] = Json::array();
  for (const PlacementFacts &placement : query.placements)
    out["placements"].push_back({{"schedule", placement.method},
                                 {"time_us", placement.timeUs},
                                 {"once_us", placement.onceUs},
                                 {"chosen", placement.chosen}});
  out["speeds"] = speedOriginName(query.speedOrigin);
  out["predicted_us"] = query.againUs();
  out["predicted_first_us"] = query.firstTimeUs();
  out["first_time_us"] = query.firstTimeUs();
  if (query.search.steps != 0)
    out["search"] = {{"rounds", query.search.rounds},
                     {"steps", query.search.steps},
                     {"expected_runs", query.search.expectedRuns},
                     {"expected_us", query.search.expectedUs},
                     {"threads", query.search.threads},
                     {"end", query.search.end}};
  out["timeline"] = timelineJson(query.timeline);
  out["phases"] = Json::array();
  for (const PhaseTime &phase : query.phases)
    out["phases"].push_back({{"device", phase.device},
                             {"phase", phase.phase},
                             {"time_us", phase.timeUs},
                             {"once", phase.once},
                             {"why", phase.why}});
  out["costliest"] = Json::array();
  for (const DearBucket &dear : query.costliest)
    out["costliest"].push_back(dearJson(query, dear));
  out["chains"] = Json::array();
  for (const ChainFacts &chain : query.chains)
    out["chains"].push_back(chainJson(chain));
  out["buckets"] = Json::array();
  for (const BucketFacts &bucket : query.buckets)
    out["buckets"].push_back(bucketJson(bucket));
  return out;
}

} // namespace

std::string explanationJson(const Explanation &explanation) {
  Json out{{"model", explanation.model}};
  out["queries"] = Json::array();
  for (const QueryExplanation &query : explanation.queries)
    out["queries"].push_back(queryJson(query));
  return out.dump(1) + "\n";
}

} // namespace mpf

#include "tools/mpf-bench/measure/random_cases.h"

#include "dsl/formats/cases/swept_cases.h"
#include "dsl/formats/cases/tables/formula_cases.h"
#include "dsl/formats/load_text.h"
#include "dsl/formats/read_model_file.h"
#include "dsl/support/check.h"
#include "dsl/support/split_mix.h"
#include "dsl/support/system/thread_count.h"
#include "tools/mpf-bench/measure/network_sampler.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace mpf::bench {

namespace {

/// Rows of one generator.
constexpr uint32_t kChunkRows = 8192;
constexpr uint64_t kStateSeed = 1, kObservedSeed = 2;

/// Returns the seed of a chunk. Chunks of one purpose have different seeds.
uint64_t chunkSeed(uint64_t purpose, uint64_t chunk) {
  return mixBits(mixBits(purpose * kGoldenGamma) + chunk * kGoldenGamma);
}

void drawUniform(const CaseSchema &schema, uint64_t seed, std::vector<uint32_t> &states) {
  states.resize(schema.observed.size() * kChunkRows);
  for (size_t column = 0; column < schema.observed.size(); ++column)
    for (uint32_t i = 0; i < kChunkRows; ++i)
      states[column * kChunkRows + i] =
          static_cast<uint32_t>(nextRandom(seed) % schema.observed[column].extent);
}

/// Writes the states of observed cells into the rows from `first` on.
template <class Code>
void observeCells(const CaseSchema &schema, const std::vector<uint32_t> &states, double observed,
                  uint64_t seed, uint32_t first, uint32_t count, CaseBlock &block) {
  const auto threshold = static_cast<uint64_t>(observed * 0x1p32);
  for (size_t column = 0; column < schema.observed.size(); ++column) {
    Code *const codes = reinterpret_cast<Code *>(block.column(column)) + first;
    const auto missing = static_cast<Code>(schema.observed[column].extent);
    const uint32_t *const own = &states[column * kChunkRows];
    uint64_t random = mixBits(seed + column * kGoldenGamma);
    for (uint32_t i = 0; i < count; ++i)
      codes[i] = nextRandom(random) >> 32 < threshold ? static_cast<Code>(own[i]) : missing;
  }
}

CaseSchema everyVariable(const Model &model) {
  CaseSchema schema;
  for (size_t i = 0; i < model.variables.size(); ++i)
    schema.observed.push_back({VarId{i}, model.variables[i].extent});
  return schema;
}

MeasuredCases sweptValues(Model model, uint64_t rows) {
  const std::vector<SweptParam> sweeps = std::exchange(model.sweeps, {});
  const auto source = withFormulas(sweptCases(nullptr, sweeps), model, {true});
  const uint64_t count = std::min(rows, source->caseCount().value_or(rows));
  CaseBlock block(source->schema(), static_cast<uint32_t>(count));
  source->next(block);
  return {std::move(model), source->schema(), std::move(block), RowSource::Sweep};
}

} // namespace

std::string_view rowSourceText(RowSource source) {
  return source == RowSource::Network   ? "drawn from the network"
         : source == RowSource::Uniform ? "of uniform states"
                                        : "of swept params";
}

RowSource drawRows(const Model &model, double observed, unsigned threads, CaseBlock &block) {
  const CaseSchema schema = everyVariable(model);
  const std::optional<NetworkSampler> sampler = NetworkSampler::of(model);
  const uint32_t chunks = (block.pitch() + kChunkRows - 1) / kChunkRows;
  block.count = block.pitch();
  std::atomic<uint32_t> next{0};
  const auto work = [&] {
    std::vector<uint32_t> states;
    for (uint32_t chunk = next++; chunk < chunks; chunk = next++) {
      const uint32_t first = chunk * kChunkRows, count = std::min(kChunkRows, block.count - first);
      // Draw whole chunks, so that shorter lists are beginnings of longer ones.
      if (sampler)
        sampler->draw(chunkSeed(kStateSeed, chunk), kChunkRows, states);
      else
        drawUniform(schema, chunkSeed(kStateSeed, chunk), states);
      const uint64_t seed = chunkSeed(kObservedSeed, chunk);
      const auto observe = block.codeBytes() == 1   ? observeCells<uint8_t>
                           : block.codeBytes() == 2 ? observeCells<uint16_t>
                                                    : observeCells<uint32_t>;
      observe(schema, states, observed, seed, first, count, block);
    }
  };
  std::vector<std::jthread> workers;
  for (unsigned i = 1; i < std::min<unsigned>(threadCount(threads), chunks); ++i)
    workers.emplace_back(work);
  work();
  workers.clear(); // joins
  return sampler ? RowSource::Network : RowSource::Uniform;
}

MeasuredCases measuredCases(const std::string &path, uint64_t rows, double observed,
                            unsigned threads) {
  Diagnostics diagnostics;
  std::optional<Model> model = readModelFile(loadText(path), diagnostics);
  if (!model)
    fail(ErrorKind::BadInput, "{} cannot be read", path);
  if (!model->sweeps.empty())
    return sweptValues(std::move(*model), rows);
  model->evidence = {};
  CaseSchema schema = everyVariable(*model);
  CaseBlock block(schema, static_cast<uint32_t>(rows));
  const RowSource source = drawRows(*model, observed, threads, block);
  return {std::move(*model), std::move(schema), std::move(block), source};
}

QueryKind kindOfTask(const std::string &task) {
  return task == "MAR"   ? QueryKind::Marginals
         : task == "MPE" ? QueryKind::Mpe
                         : QueryKind::Evidence;
}

} // namespace mpf::bench

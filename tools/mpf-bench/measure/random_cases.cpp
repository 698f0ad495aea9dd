#include "tools/mpf-bench/measure/random_cases.h"

#include "dsl/formats/cases/formula_cases.h"
#include "dsl/formats/cases/swept_cases.h"
#include "dsl/formats/load_text.h"
#include "dsl/formats/read_model_file.h"
#include "dsl/support/error.h"
#include "dsl/support/split_mix.h"

#include <algorithm>
#include <utility>

namespace mpf::bench {

namespace {

double unit(uint64_t &state) { return static_cast<double>(nextRandom(state) >> 11) * 0x1p-53; }

CaseSchema everyVariable(const Model &model) {
  CaseSchema schema;
  for (size_t i = 0; i < model.variables.size(); ++i)
    schema.observed.push_back({VarId{i}, model.variables[i].extent});
  return schema;
}

CaseBlock randomCases(const CaseSchema &schema, uint64_t rows, double observed) {
  uint64_t random = 1;
  CaseBlock block(schema, static_cast<uint32_t>(rows));
  block.count = static_cast<uint32_t>(rows);
  for (size_t column = 0; column < schema.observed.size(); ++column)
    for (uint32_t i = 0; i < rows; ++i) {
      const uint32_t extent = schema.observed[column].extent;
      block.setCode(column, i,
                    unit(random) < observed ? static_cast<uint32_t>(nextRandom(random) % extent)
                                            : extent);
    }
  return block;
}

MeasuredCases sweptValues(Model model, uint64_t rows) {
  const std::vector<SweptParam> sweeps = std::exchange(model.sweeps, {});
  const auto source = withFormulas(sweptCases(nullptr, sweeps), model, true);
  const uint64_t count = std::min(rows, source->caseCount().value_or(rows));
  CaseBlock block(source->schema(), static_cast<uint32_t>(count));
  source->next(block);
  return {std::move(model), source->schema(), std::move(block)};
}

} // namespace

MeasuredCases measuredCases(const std::string &path, uint64_t rows, double observed) {
  Diagnostics diagnostics;
  std::optional<Model> model = readModelFile(loadText(path), diagnostics);
  if (!model)
    fail(ErrorKind::BadInput, "{} cannot be read", path);
  if (!model->sweeps.empty())
    return sweptValues(std::move(*model), rows);
  model->evidence = {};
  CaseSchema schema = everyVariable(*model);
  CaseBlock block = randomCases(schema, rows, observed);
  return {std::move(*model), std::move(schema), std::move(block)};
}

QueryKind kindOfTask(const std::string &task) {
  return task == "MAR"   ? QueryKind::Marginals
         : task == "MPE" ? QueryKind::Mpe
                         : QueryKind::Evidence;
}

} // namespace mpf::bench

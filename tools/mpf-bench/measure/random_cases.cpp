#include "tools/mpf-bench/measure/random_cases.h"

#include "dsl/formats/load_text.h"
#include "dsl/formats/read_model_file.h"
#include "dsl/support/error.h"
#include "dsl/support/split_mix.h"

namespace mpf::bench {

namespace {

double unit(uint64_t &state) { return static_cast<double>(nextRandom(state) >> 11) * 0x1p-53; }

} // namespace

Model modelForCases(const std::string &path) {
  Diagnostics diagnostics;
  std::optional<Model> model = readModelFile(loadText(path), diagnostics);
  if (!model)
    fail(ErrorKind::BadInput, "{} cannot be read", path);
  model->evidence = {};
  return std::move(*model);
}

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

QueryKind kindOfTask(const std::string &task) {
  return task == "MAR"   ? QueryKind::Marginals
         : task == "MPE" ? QueryKind::Mpe
                         : QueryKind::Evidence;
}

} // namespace mpf::bench

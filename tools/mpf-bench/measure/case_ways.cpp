#include "tools/mpf-bench/measure/case_ways.h"

#include "codegen/bundle/bundle.h"
#include "runtime/api/jit_model.h"

#include <algorithm>

namespace mpf::bench {

namespace {

/// A model of one query, as compileModel takes it.
Program compileAlone(const ObservableModel &observable, const std::string &type,
                     const std::string &device) {
  Model model = observable.model;
  model.queries = {observable.query};
  CompileOptions options;
  options.type = type;
  options.device = device;
  options.keepMessages = true; // a run computes what its row changes
  return compileModel(model, options);
}

SessionOptions optionsOn(const std::string &device, unsigned threads) {
  SessionOptions options;
  options.device = device;
  options.threads = threads;
  return options;
}

} // namespace

CaseRows::CaseRows(const CaseBlock &block)
    : count_(block.count), columns_(block.columns()), codes_(count_ * columns_) {
  for (size_t column = 0; column < columns_; ++column)
    for (uint32_t i = 0; i < block.count; ++i)
      codes_[i * columns_ + column] = block.code(column, i);
}

void CaseRows::interleave(uint64_t first, uint32_t v, CaseBlock &block) const {
  block.count = v;
  for (uint32_t i = 0; i < v; ++i) {
    const uint32_t *const row = codes_.data() + (first + i) % count_ * columns_;
    for (size_t column = 0; column < columns_; ++column)
      block.setCode(column, i, row[column]);
  }
}

SingleRuns::SingleRuns(const Model &model, const Query &query, const CaseSchema &schema,
                       const std::string &type, const std::string &device, unsigned threads)
    : observable_(observableModel(model, query, schema)),
      program_(compileAlone(observable_, type, device)),
      session_(program_, optionsOn(device, threads)) {
  const std::vector<BundleInput> &inputs = program_.bundle().inputs;
  for (size_t place = 0; place < observable_.indicators.size(); ++place) {
    if (!observable_.indicators[place].valid())
      continue;
    const std::string &factor = observable_.model.factor(observable_.indicators[place]).name;
    if (std::ranges::find(inputs, factor, &BundleInput::factor) != inputs.end())
      columns_.push_back({place, factor, std::vector<double>(schema.observed[place].extent, 1.0)});
  }
  for (const Column &column : columns_)
    session_.bind(column.factor, column.values);
}

/// Only what differs from the row before, so that a run computes no more than it must.
void SingleRuns::bind(const CaseRows &rows, uint64_t row) {
  std::vector<double> values;
  for (Column &column : columns_) {
    const uint32_t code = rows.code(row % rows.count(), column.place);
    const bool isObserved = code < column.values.size();
    values.assign(column.values.size(), isObserved ? 0.0 : 1.0);
    if (isObserved)
      values[code] = 1;
    if (values == column.values)
      continue;
    session_.bind(column.factor, values);
    column.values.swap(values);
  }
}

} // namespace mpf::bench

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
    : count_(block.count), columns_(block.columns()),
      weightCount_(block.weights().size() / std::max(block.pitch(), 1U)), codes_(count_ * columns_),
      weights_(count_ * weightCount_) {
  for (size_t column = 0; column < columns_; ++column)
    for (uint32_t i = 0; i < block.count; ++i)
      codes_[i * columns_ + column] = block.code(column, i);
  for (size_t number = 0; number < weightCount_; ++number)
    for (uint32_t i = 0; i < block.count; ++i)
      weights_[i * weightCount_ + number] = block.weights()[number * block.pitch() + i];
}

void CaseRows::interleave(uint64_t first, uint32_t v, CaseBlock &block) const {
  block.count = v;
  for (uint32_t i = 0; i < v; ++i) {
    const uint64_t row = (first + i) % count_;
    for (size_t column = 0; column < columns_; ++column)
      block.setCode(column, i, code(row, column));
    for (size_t number = 0; number < weightCount_; ++number)
      block.weights()[number * block.pitch() + i] = weight(row, number);
  }
}

SingleRuns::SingleRuns(const Model &model, const Query &query, const CaseSchema &schema,
                       const std::string &type, const std::string &device, unsigned threads)
    : observable_(observableModel(model, query, schema)),
      program_(compileAlone(observable_, type, device)),
      session_(program_, optionsOn(device, threads)) {
  for (size_t place = 0; place < observable_.indicators.size(); ++place)
    add(observable_.indicators[place],
        {true, place, "", std::vector<double>(schema.observed[place].extent, 1.0)});
  for (size_t t = 0; t < schema.tables.size(); ++t)
    for (const FactorId factor : schema.tables[t].factors)
      add(factor, {false, schema.firstWeight(schema.likelihoods.size() + t), "",
                   std::vector<double>(schema.tables[t].sizeElems, 1.0)});
  for (const Column &column : columns_)
    session_.bind(column.factor, column.values);
}

/// Not of variables that the query does not speak of, and not where a table was simplified away.
void SingleRuns::add(FactorId factor, Column column) {
  if (!factor.valid())
    return;
  column.factor = observable_.model.factor(factor).name;
  const std::vector<BundleInput> &inputs = program_.bundle().inputs;
  if (std::ranges::find(inputs, column.factor, &BundleInput::factor) != inputs.end())
    columns_.push_back(std::move(column));
}

void SingleRuns::setEntries(const CaseRows &rows, uint64_t row, const Column &column,
                            std::vector<double> &values) {
  values.resize(column.values.size());
  if (!column.isCode) {
    for (size_t e = 0; e < values.size(); ++e)
      values[e] = rows.weight(row, column.place + e);
    return;
  }
  const uint32_t code = rows.code(row, column.place);
  const bool isObserved = code < values.size();
  std::ranges::fill(values, isObserved ? 0.0 : 1.0);
  if (isObserved)
    values[code] = 1;
}

/// Only what differs from the row before, so that a run computes no more than it must.
void SingleRuns::bind(const CaseRows &rows, uint64_t row) {
  std::vector<double> values;
  for (Column &column : columns_) {
    setEntries(rows, row % rows.count(), column, values);
    if (values == column.values)
      continue;
    session_.bind(column.factor, values);
    column.values.swap(values);
  }
}

} // namespace mpf::bench

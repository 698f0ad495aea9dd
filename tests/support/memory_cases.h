// A list of cases without rows, for tests of its header.
#pragma once

#include "dsl/support/cases/case_source.h"

#include <string>
#include <utility>
#include <vector>

namespace mpf::test {

class MemoryCases final : public CaseSource {
public:
  MemoryCases(std::string name, std::vector<CaseVariable> observed,
              std::vector<std::string> params = {})
      : name_(std::move(name)) {
    schema_.observed = std::move(observed);
    schema_.params = std::move(params);
  }

  const std::string &name() const override { return name_; }
  const CaseSchema &schema() const override { return schema_; }
  bool next(CaseBlock &block) override {
    block.count = 0;
    return false;
  }

private:
  std::string name_;
  CaseSchema schema_;
};

} // namespace mpf::test

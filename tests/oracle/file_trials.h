// Draws random models whose `input` tables, findings and likelihoods are in the rows of a CSV.
#pragma once

#include "dsl/model/model.h"
#include "dsl/support/cases/case_block.h"
#include "runtime/api/cases.h"

#include <random>
#include <string>

namespace mpf::oracle {

struct FileTrial {
  Model model; ///< with some factors declared `input`, half of these with defaults, and the query
  Query query;
  CaseSchema schema; ///< data that the columns set, in the order of the model; tables by factor
  CaseBlock block;   ///< the cases that the CSV encodes
  std::string csv;   ///< the cases: columns in any order, in all notations, some cells empty
};

FileTrial randomFileTrial(std::mt19937_64 &random, int number);

/// The cases of the CSV as its reader returns them, for the model.
struct FileCases {
  CaseSchema schema;
  CaseBlock block;
};
FileCases readFileTrial(const FileTrial &trial);

/// Returns the program of a host that sets the data of the file's columns, in their order.
CaseProgram programOf(const FileTrial &trial, const CaseSchema &schema,
                      const CompileOptions &options);

} // namespace mpf::oracle

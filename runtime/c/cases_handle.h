// The object behind the handle of a list of cases.
#pragma once

#include "runtime/c/case_columns.h"
#include "runtime/c/handles.h"

#include <span>

struct mpf_cases : mpf::c::Handle {
  mpf_cases(const mpf::CaseProgram &compiled, const mpf::HostOptions &options)
      : program(compiled), session(compiled, options.session, options.expected),
        columns(compiled, mpf::numberReadingNamed(options.reading.states)),
        watch(options.session.watch), variables(compiled.variables().size()) {}

  void run(std::span<const mpf_column> cells, uint64_t rows, std::span<const mpf_answer> arrays);
  void runPiece(uint64_t first, uint32_t count, std::span<const mpf_answer> arrays);

  mpf::CaseProgram program;
  mpf::CaseSession session;
  mpf::c::CaseColumns columns;
  mpf::Watch watch;
  size_t variables;
  mpf::CaseBlock block;
  mpf::CaseAnswers answers;
  mpf::DeviceCaseLayout layout; ///< of the last mpf_cases_device_rows
  std::atomic_flag busy;
};

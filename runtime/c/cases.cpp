// Lists of cases for C.
#include "runtime/c/case_arrays.h"
#include "runtime/c/cases_handle.h"

#include <algorithm>
#include <chrono>

using namespace mpf;
using namespace mpf::c;

namespace {

/// Most cases of one block: memory stays bounded, and progress is seen in between.
constexpr uint64_t kBlockCases = uint64_t{1} << 16;

} // namespace

void mpf_cases::run(std::span<const mpf_column> cells, uint64_t rows,
                    std::span<const mpf_answer> arrays) {
  const auto begin = std::chrono::steady_clock::now();
  if (!program.schema().likelihoods.empty() || !program.schema().params.empty())
    fail(ErrorKind::Usage, "rows do not set the weights and params of this program: "
                           "mpf_session_weigh and mpf_session_set_param do");
  columns.start(cells, rows != 0);
  requireArrays(arrays, rows != 0);
  const uint64_t most = std::min(rows, kBlockCases);
  if (block.pitch() < most)
    block = program.block(static_cast<uint32_t>(most));
  for (uint64_t done = 0; done < rows;) {
    const auto count = static_cast<uint32_t>(std::min(rows - done, kBlockCases));
    runPiece(done, count, arrays);
    done += count;
    const double share = static_cast<double>(done) / static_cast<double>(rows);
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    if (done < rows && watch.progress && !watch.progress({"running", passed.count(), share}))
      fail(ErrorKind::Cancelled, "the call was ended after {} of {} rows", done, rows);
  }
}

void mpf_cases::runPiece(uint64_t first, uint32_t count, std::span<const mpf_answer> arrays) {
  block.startAt(first);
  block.count = count;
  columns.fill(block);
  session.run(block, answers);
  writeAnswers(answers, first, variables, arrays);
}

mpf_status mpf_cases_open(const mpf_program *program, const mpf_options *options, mpf_cases **out) {
  return call(program, [&] {
    mpf_cases *&made = newHandle(out);
    const auto *const compiled =
        std::get_if<CaseProgram>(&required(program, "the program")->program);
    if (compiled == nullptr)
      fail(ErrorKind::Usage, "this call needs a program of mpf_compile_cases");
    made = new mpf_cases(*compiled, optionsOf(options));
  });
}

mpf_status mpf_cases_bind(mpf_cases *cases, const char *factor, const double *values,
                          uint64_t count) {
  return callAlone(cases, [&](mpf_cases &handle) {
    handle.session.bind(required(factor, "factor"), spanOf(values, count, "values"));
  });
}

mpf_status mpf_cases_run(mpf_cases *cases, const mpf_column *columns, size_t column_count,
                         uint64_t rows, const mpf_answer *answers, size_t answer_count) {
  return callAlone(cases, [&](mpf_cases &handle) {
    handle.run(sizedCopies(columns, column_count, "columns"), rows,
               sizedCopies(answers, answer_count, "answers"));
  });
}

const char *mpf_cases_error(const mpf_cases *cases) { return errorOf(cases); }

void mpf_cases_free(mpf_cases *cases) { delete cases; }

// Runs for C whose arrays lie in the memory of a GPU.
#include "runtime/c/cases_handle.h"
#include "runtime/c/mpf_c_device.h"

using namespace mpf;
using namespace mpf::c;

namespace {

Session &sessionOf(mpf_session &handle) { return kindOf<Session>(handle, "mpf_compile"); }

} // namespace

mpf_status mpf_session_device_layout(mpf_session *session, const char *const *factors,
                                     size_t factor_count, uint64_t *entries, int *is_double) {
  return callAlone(session, [&](mpf_session &handle) {
    required(entries, "entries");
    required(is_double, "is_double");
    const std::vector<std::string> names = textsOf(factors, factor_count, "factors");
    handle.layout = sessionOf(handle).deviceLayout(names);
    *entries = handle.layout.resultElems;
    *is_double = handle.layout.isDouble ? 1 : 0;
  });
}

mpf_status mpf_session_device_table(mpf_session *session, size_t index, const char **name,
                                    uint32_t *kind, uint64_t *first, uint64_t *entries) {
  return callAlone(session, [&](mpf_session &handle) {
    required(name, "name");
    required(kind, "kind");
    required(first, "first");
    required(entries, "entries");
    *name = nullptr;
    *kind = 0;
    *first = *entries = 0;
    if (index >= handle.layout.tables.size())
      return;
    const DeviceRunLayout::Table &table = handle.layout.tables[index];
    *name = table.name.c_str();
    *kind = (table.isPosterior ? MPF_TABLE_POSTERIOR : 0) |
            (table.isLogarithm ? MPF_TABLE_LOGARITHM : 0);
    *first = table.firstElem;
    *entries = table.sizeElems;
  });
}

mpf_status mpf_session_run_device(mpf_session *session, const uint64_t *values, size_t value_count,
                                  uint64_t results, uint64_t exponents, void *stream) {
  return callAlone(session, [&](mpf_session &handle) {
    const auto addresses = spanOf(values, value_count, "values");
    sessionOf(handle).runOnDevice({{addresses.begin(), addresses.end()}, results, exponents},
                                  stream);
  });
}

mpf_status mpf_cases_device_rows(mpf_cases *cases, mpf_device_rows *rows) {
  return callAlone(cases, [&](mpf_cases &handle) {
    const uint32_t size = sizedCopy<mpf_device_rows>(rows, "rows").size;
    handle.layout = handle.session.deviceLayout();
    const DeviceCaseLayout &layout = handle.layout;
    *rows = {size,
             layout.isDouble ? 1u : 0u,
             layout.wordRows,
             layout.weightRows,
             layout.resultRows,
             layout.exponentRows,
             layout.stateRows};
  });
}

mpf_status mpf_cases_device_code(mpf_cases *cases, const char *variable, uint32_t *word,
                                 uint32_t *shift) {
  return callAlone(cases, [&](mpf_cases &handle) {
    required(word, "word");
    required(shift, "shift");
    const size_t column = handle.program.columnOf(required(variable, "variable"));
    if (column >= handle.layout.codes.size())
      fail(ErrorKind::Usage, "mpf_cases_device_rows comes first");
    *word = handle.layout.codes[column].word;
    *shift = handle.layout.codes[column].shift;
  });
}

mpf_status mpf_cases_device_table(mpf_cases *cases, size_t index, const char **name, uint32_t *kind,
                                  uint64_t *first_row, uint64_t *rows, int64_t *exponent,
                                  int64_t *exponent_row) {
  return callAlone(cases, [&](mpf_cases &handle) {
    required(name, "name");
    required(kind, "kind");
    required(first_row, "first_row");
    required(rows, "rows");
    required(exponent, "exponent");
    required(exponent_row, "exponent_row");
    DeviceCaseLayout::Table table;
    const bool isThere = index < handle.layout.tables.size();
    if (isThere)
      table = handle.layout.tables[index];
    *name = isThere ? handle.layout.tables[index].name.c_str() : nullptr;
    *kind = table.isPosterior ? MPF_TABLE_POSTERIOR : 0;
    *first_row = table.firstRow;
    *rows = isThere ? table.rows : 0;
    *exponent = table.exponent;
    *exponent_row = table.exponentRow ? static_cast<int64_t>(*table.exponentRow) : -1;
  });
}

mpf_status mpf_cases_run_device(mpf_cases *cases, const mpf_device_cases *where, void *stream) {
  return callAlone(cases, [&](mpf_cases &handle) {
    const auto given = sizedCopy<mpf_device_cases>(where, "where");
    if (given.pitch > UINT32_MAX)
      fail(ErrorKind::Usage, "rows of {} elements: at most {}", given.pitch, UINT32_MAX);
    const auto pitch = static_cast<uint32_t>(given.pitch);
    handle.session.runOnDevice({given.count, pitch, given.words, given.weights, given.results,
                                given.exponents, given.states},
                               stream);
  });
}

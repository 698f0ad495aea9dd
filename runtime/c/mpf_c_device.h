// mpf for C: values, cases and answers in the memory of a GPU. The option "device" must be "gpu".
// Addresses are CUdeviceptr, 0 for arrays without elements. `stream` is a CUstream or cudaStream_t
// of the device's primary context; null: the default stream. A run begins when earlier work on the
// stream is done, and the call does not wait for its end. So the arrays must stay valid until then.
// Their shape is checked, their values are not. Other layouts, and what the device computes:
// `runOnDevice` in session.h and cases.h of the interface for C++.
#ifndef MPF_C_DEVICE_H
#define MPF_C_DEVICE_H

#include <mpf_c.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Programs of mpf_compile: names the factors whose values runs on the device read there, in this
/// order. Other factors keep the values of mpf_session_bind. `entries`: the size of the array of
/// results, whose type is double, or float if `is_double` is 0.
MPF_API mpf_status mpf_session_device_layout(mpf_session *session, const char *const *factors,
                                             size_t factor_count, uint64_t *entries,
                                             int *is_double);
/// A table of that layout: its name, its kind, and its part of the array of results. Entry e has
/// the value results[first + e] * 2^exponents[index]; that of a posterior is results[first + e].
MPF_API mpf_status mpf_session_device_table(mpf_session *session, size_t index, const char **name,
                                            uint32_t *kind, uint64_t *first, uint64_t *entries);
/// Runs with values of that layout. `results` and `exponents` (int32_t, one for each table) are
/// written; NaN: the values cannot be used.
MPF_API mpf_status mpf_session_run_device(mpf_session *session, const uint64_t *values,
                                          size_t value_count, uint64_t results, uint64_t exponents,
                                          MPF_OPTIONAL void *stream);

/// The rows of the arrays of cases. Row r of an array has the elements of all cases, side by side:
/// that of case i is at [r * pitch + i].
typedef struct mpf_device_rows {
  uint32_t size;      ///< sizeof(mpf_device_rows)
  uint32_t is_double; ///< 0: weights and results are float
  uint64_t words;     ///< uint32_t
  uint64_t weights;
  uint64_t results;
  uint64_t exponents; ///< int32_t
  uint64_t states;    ///< uint32_t: best assignments, one row for each variable
} mpf_device_rows;

/// Cases in device memory: the addresses of arrays with those rows.
typedef struct mpf_device_cases {
  uint32_t size;  ///< sizeof(mpf_device_cases)
  uint32_t count; ///< cases
  uint64_t pitch; ///< elements from row to row; at least `count`
  uint64_t words, weights;
  uint64_t results, exponents, states; ///< written; the first result of a case is NaN if it must be
                                       ///< answered by mpf_cases_run
} mpf_device_cases;

/// Sets the rows of the arrays; `rows->size` is read. The layout holds until mpf_cases_bind. The
/// options "device" and "on-device" of `cases` were "gpu" and "true"; else another engine than
/// lanes may have been chosen, which is MPF_UNSUPPORTED.
MPF_API mpf_status mpf_cases_device_rows(mpf_cases *cases, mpf_device_rows *rows);
/// The place of a variable's code, its state or its number of states for "not observed":
/// words[word] |= code << shift.
MPF_API mpf_status mpf_cases_device_code(mpf_cases *cases, const char *variable, uint32_t *word,
                                         uint32_t *shift);
/// A table of answers: its name, its kind, and its rows of results. A value is
/// results * 2^(exponent + exponents[exponent_row]); `exponent_row` is -1 if there is none.
MPF_API mpf_status mpf_cases_device_table(mpf_cases *cases, size_t index, const char **name,
                                          uint32_t *kind, uint64_t *first_row, uint64_t *rows,
                                          int64_t *exponent, int64_t *exponent_row);
/// Answers cases with that layout.
MPF_API mpf_status mpf_cases_run_device(mpf_cases *cases, const mpf_device_cases *where,
                                        MPF_OPTIONAL void *stream);

#ifdef __cplusplus
}
#endif
#endif

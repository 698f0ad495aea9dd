// mpf for C, and for languages that call C: networks, queries, answers, lists of cases.
//
//   mpf_network *network = NULL;
//   mpf_program *program = NULL;
//   mpf_session *session = NULL;
//   mpf_result *result = NULL;
//   const char *variables[] = {"HYPOVOLEMIA"}, *labels[] = {"TRUE"};
//   double value = 0;
//   if (mpf_network_read("alarm.bif", NULL, &network) != MPF_OK ||
//       mpf_compile_cases(network, "P(HYPOVOLEMIA)", NULL, &program) != MPF_OK ||
//       mpf_session_open(program, NULL, &session) != MPF_OK ||
//       mpf_session_observe_label(session, "BP", "LOW") != MPF_OK ||
//       mpf_session_run(session, &result) != MPF_OK ||
//       mpf_result_at(result, variables, labels, 1, &value) != MPF_OK)
//     fprintf(stderr, "%s\n", mpf_last_error());
//   mpf_result_free(result); // each handle has such a function; null is fine
//
// Statuses: a call that fails returns another status than MPF_OK, and changes nothing. Its message
// is mpf_last_error() on the same thread, until that thread's next call. The first handle of the
// call keeps the message too: mpf_network_error() and its likes return it until another call with
// that handle fails. A function that makes a handle sets *out to null when it fails.
//
// Pointers: a null pointer is MPF_USAGE, except where MPF_OPTIONAL stands before the parameter. An
// array may be null if its count is 0. Texts are UTF-8 and end with a 0 byte. A text or an array
// that a function returns belongs to the handle. It is valid until a call changes or frees the
// handle.
//
// Lists: functions with an `index` count from 0. Behind the last item they set the name to null and
// return MPF_OK, so that loops need no count.
//
// Threads: options, networks, programs and results may be used by several threads. A session, or
// the handle of a list of cases, serves one call at a time: MPF_USAGE while another call uses it.
// No handle may be freed while a call uses it. No function prints, ends the process or sets a
// signal handler.
//
// Linking: pkg-config --cflags --libs mpf_c. The header is C99, C11 and C++. Arrays in the memory
// of a GPU: mpf_c_device.h.
#ifndef MPF_C_H
#define MPF_C_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MPF_API __attribute__((visibility("default")))
/// The parameter behind it may be null.
#define MPF_OPTIONAL

/// The version of this header: major << 16 | minor. A library fits if it has the same major, and no
/// smaller minor (mpf_abi_version).
#define MPF_ABI_VERSION 0x00000002u

/// The numbers that the exit codes of mpfc have too mean the same there; it has no MPF_CANCELLED.
typedef enum mpf_status {
  MPF_OK = 0,
  MPF_BAD_INPUT = 1,    ///< a text, file or value cannot be used
  MPF_USAGE = 2,        ///< the call makes no sense: a null pointer, an unknown name, a wrong order
  MPF_MEMORY_BOUND = 3, ///< the tables exceed the bound; the message has the smallest peak
  MPF_TIME_LIMIT = 4,
  MPF_DEVICE = 5,       ///< driver, device or compiler missing or failing
  MPF_VERIFICATION = 6, ///< a recomputed entry differs from the result
  MPF_OVERFLOW = 7,     ///< a whole number does not fit its type
  MPF_UNSUPPORTED = 8,  ///< valid input that this version refuses
  MPF_CANCELLED = 9,    ///< the progress callback ended the call
  MPF_INTERNAL = 70     ///< a bug of mpf
} mpf_status;

typedef struct mpf_options mpf_options;
typedef struct mpf_network mpf_network;
typedef struct mpf_program mpf_program;
typedef struct mpf_session mpf_session;
typedef struct mpf_result mpf_result;
typedef struct mpf_cases mpf_cases;

/// The version of the library that runs, as MPF_ABI_VERSION counts.
MPF_API uint32_t mpf_abi_version(void);
/// The version as a text: "0.1.0".
MPF_API const char *mpf_version(void);
/// The name of a status: "bad input". Null: there is no such status.
MPF_API const char *mpf_status_name(int status);
/// The message of this thread's last call; an empty text if it succeeded. Calls of functions that
/// return no status leave it as it is.
MPF_API const char *mpf_last_error(void);

// Options. Every call that takes options reads those that it knows and leaves the others out, so
// that one handle serves all calls of a program. The handle may be freed after the call.

/// Makes options with their defaults.
MPF_API mpf_status mpf_options_new(mpf_options **out);
/// Sets an option by its name: ("device", "cpu"), ("threads", "2"), ("normalise", "true"). Options
/// that hold lists take one item a call. MPF_USAGE: there is no such option, or no such value.
MPF_API mpf_status mpf_options_set(mpf_options *options, const char *name, const char *value);
/// Gives a param of a model its value, `count` 1 and `rank` 0. Several values with rank 0 are a
/// sweep. With a rank, they are an array of that shape, the last axis fastest.
MPF_API mpf_status mpf_options_set_param(mpf_options *options, const char *param,
                                         const double *values, uint64_t count,
                                         const uint64_t *shape, size_t rank);
/// Sees the progress of a call. `phase`: "reading", "compiling", "opening" or "running". `share`:
/// the part that is done, from 0 to 1; negative: unknown. A result other than 0 ends the call with
/// MPF_CANCELLED within about 0.3 s; it may be called again until then.
typedef int (*mpf_progress)(void *user, const char *phase, double seconds, double share);
/// Sets what is called on the calling thread at least every 50 ms of a long call. The options of
/// mpf_session_open and mpf_cases_open are those of later runs too. Null: nothing is called.
MPF_API mpf_status mpf_options_set_progress(mpf_options *options,
                                            MPF_OPTIONAL mpf_progress callback,
                                            MPF_OPTIONAL void *user);
/// Lists all options: the name, and a sentence about its value.
MPF_API mpf_status mpf_options_list(size_t index, const char **name, const char **meaning);
MPF_API const char *mpf_options_error(const mpf_options *options);
MPF_API void mpf_options_free(mpf_options *options);

// Networks. A table is row-major over its variables, the last one fastest; the child of a
// conditional table is its last variable. States are numbered from 0.

MPF_API mpf_status mpf_network_new(const char *name, mpf_network **out);
/// Reads a file, whose ending names its format.
MPF_API mpf_status mpf_network_read(const char *path, MPF_OPTIONAL const mpf_options *options,
                                    mpf_network **out);
/// Reads `bytes` bytes of a text. The option "format" is the ending of its format; without it the
/// text is in the .mpf language.
MPF_API mpf_status mpf_network_parse(const char *text, size_t bytes,
                                     MPF_OPTIONAL const mpf_options *options, mpf_network **out);
MPF_API mpf_status mpf_network_copy(const mpf_network *network, mpf_network **out);
MPF_API const char *mpf_network_error(const mpf_network *network);
MPF_API void mpf_network_free(mpf_network *network);

MPF_API mpf_status mpf_network_name(const mpf_network *network, const char **name);
MPF_API mpf_status mpf_network_variable_count(const mpf_network *network, size_t *count);
MPF_API mpf_status mpf_network_variable(const mpf_network *network, size_t index, const char **name,
                                        uint32_t *states);
/// The label of a state of variable `index`; null behind the last, and where states have numbers
/// alone.
MPF_API mpf_status mpf_network_label(const mpf_network *network, size_t index, uint32_t state,
                                     const char **label);
MPF_API mpf_status mpf_network_factor_count(const mpf_network *network, size_t *count);
/// Sums of the MPF_FACTOR_ numbers are the `kind` of a factor.
#define MPF_FACTOR_CONDITIONAL 1u
#define MPF_FACTOR_INPUT 2u      /* sessions bind its values */
#define MPF_FACTOR_LIKELIHOOD 4u /* soft evidence */
MPF_API mpf_status mpf_network_factor(const mpf_network *network, size_t index, const char **name,
                                      uint32_t *kind, uint64_t *entries);
/// The variable of an axis of factor `index`; null behind the last.
MPF_API mpf_status mpf_network_axis(const mpf_network *network, size_t index, size_t axis,
                                    const char **variable);
/// The values of a factor. Null: an input without defaults, or values beyond doubles.
MPF_API mpf_status mpf_network_values(const mpf_network *network, const char *factor,
                                      const double **values, uint64_t *count);
MPF_API mpf_status mpf_network_param(const mpf_network *network, size_t index, const char **name,
                                     double *value);
MPF_API mpf_status mpf_network_query(const mpf_network *network, size_t index, const char **name);
MPF_API mpf_status mpf_network_observation(const mpf_network *network, size_t index,
                                           const char **variable, uint32_t *state);
/// A warning of reading or building, with its place if it has one.
MPF_API mpf_status mpf_network_warning(const mpf_network *network, size_t index,
                                       const char **warning);

/// Adds a variable. `labels`: one for each state; null: the states have numbers alone.
MPF_API mpf_status mpf_network_add_variable(mpf_network *network, const char *name, uint32_t states,
                                            MPF_OPTIONAL const char *const *labels);
/// Adds a factor over `rank` variables. `count`: the number of values, for a check.
MPF_API mpf_status mpf_network_add_factor(mpf_network *network, const char *name,
                                          const char *const *variables, size_t rank,
                                          const double *values, uint64_t count);
/// Adds P(child | parents), a factor called "P(child)".
MPF_API mpf_status mpf_network_add_conditional(mpf_network *network, const char *child,
                                               const char *const *parents, size_t parent_count,
                                               const double *values, uint64_t count);
/// Adds a factor whose values sessions bind. `defaults`: values until then; null: none.
MPF_API mpf_status mpf_network_add_input(mpf_network *network, const char *name,
                                         const char *const *variables, size_t rank,
                                         int may_be_negative, MPF_OPTIONAL const double *defaults,
                                         uint64_t count);
MPF_API mpf_status mpf_network_set_values(mpf_network *network, const char *factor,
                                          const double *values, uint64_t count);
MPF_API mpf_status mpf_network_observe(mpf_network *network, const char *variable, uint32_t state);
MPF_API mpf_status mpf_network_observe_label(mpf_network *network, const char *variable,
                                             const char *label);
/// Adds soft evidence: a weight for each state.
MPF_API mpf_status mpf_network_weigh(mpf_network *network, const char *variable,
                                     const double *weights, uint64_t count);
MPF_API mpf_status mpf_network_unobserve(mpf_network *network, const char *variable);
/// Replaces the queries, as texts of the language: "marginals", "P(a, b)".
MPF_API mpf_status mpf_network_set_queries(mpf_network *network, const char *const *queries,
                                           size_t count);

/// The text of the network in the format of an ending: ".mpf", ".uai".
MPF_API mpf_status mpf_network_text(mpf_network *network, const char *ending, const char **text,
                                    size_t *bytes);
/// Writes a file, in the format of its ending.
MPF_API mpf_status mpf_network_write(mpf_network *network, const char *path);
/// A sentence on a thing that the format of the last mpf_network_write left out.
MPF_API mpf_status mpf_network_left_out(const mpf_network *network, size_t index,
                                        const char **sentence);

// Programs: compiled queries. `query` is the name of a query of the network, or a query of the
// language; null: the only query of the network. Later changes of the network do not matter.

/// Compiles a query. The set of observed variables is that of the network and of the option
/// "observe"; sessions change their states.
MPF_API mpf_status mpf_compile(const mpf_network *network, MPF_OPTIONAL const char *query,
                               MPF_OPTIONAL const mpf_options *options, mpf_program **out);
/// Compiles a query for cases, each of which may observe other variables: those of the option
/// "observable", or all that the network does not observe.
MPF_API mpf_status mpf_compile_cases(const mpf_network *network, MPF_OPTIONAL const char *query,
                                     MPF_OPTIONAL const mpf_options *options, mpf_program **out);
/// Writes a .mpfb file, which mpfc reads too. MPF_UNSUPPORTED: a program of mpf_compile_cases for
/// a query that cannot be answered for cases side by side.
MPF_API mpf_status mpf_program_save(const mpf_program *program, const char *path);
/// The contents of that file.
MPF_API mpf_status mpf_program_bytes(mpf_program *program, const void **bytes, size_t *count);
/// Reads a program of either kind from a .mpfb file, or from its contents. Kernels in it are
/// checked, unless the option "trust" is "true".
MPF_API mpf_status mpf_program_load(const char *path, MPF_OPTIONAL const mpf_options *options,
                                    mpf_program **out);
MPF_API mpf_status mpf_program_parse(const void *bytes, size_t count,
                                     MPF_OPTIONAL const mpf_options *options, mpf_program **out);
MPF_API mpf_status mpf_program_query(const mpf_program *program, const char **name);
MPF_API mpf_status mpf_program_variable_count(const mpf_program *program, size_t *count);
MPF_API mpf_status mpf_program_variable(const mpf_program *program, size_t index, const char **name,
                                        uint32_t *states);
MPF_API mpf_status mpf_program_label(const mpf_program *program, size_t index, uint32_t state,
                                     const char **label);
/// A warning of the compilation.
MPF_API mpf_status mpf_program_warning(const mpf_program *program, size_t index,
                                       const char **warning);
MPF_API const char *mpf_program_error(const mpf_program *program);
MPF_API void mpf_program_free(mpf_program *program);

// Sessions: one program, run as often as you like. The program may be freed before.

MPF_API mpf_status mpf_session_open(const mpf_program *program,
                                    MPF_OPTIONAL const mpf_options *options, mpf_session **out);
/// Sets the values of a factor, row-major over its variables. A row of a conditional table sums to
/// 1, as in a model: one that is more than 0.01 off is MPF_BAD_INPUT.
MPF_API mpf_status mpf_session_bind(mpf_session *session, const char *factor, const double *values,
                                    uint64_t count);
/// Set the state of a variable. With a program of mpf_compile it must be an observed one.
MPF_API mpf_status mpf_session_observe(mpf_session *session, const char *variable, uint32_t state);
MPF_API mpf_status mpf_session_observe_label(mpf_session *session, const char *variable,
                                             const char *label);
/// Programs of mpf_compile_cases, else MPF_USAGE: takes the finding of a variable away, or of all.
MPF_API mpf_status mpf_session_unobserve(mpf_session *session, const char *variable);
MPF_API mpf_status mpf_session_unobserve_all(mpf_session *session);
/// Programs of mpf_compile_cases: sets a weight for each state of a variable that the option
/// "likelihood" named, or a param that the option "case-param" named.
MPF_API mpf_status mpf_session_weigh(mpf_session *session, const char *variable,
                                     const double *weights, uint64_t count);
MPF_API mpf_status mpf_session_set_param(mpf_session *session, const char *param, double value);
/// Answers the query. Every input without defaults must have been bound.
MPF_API mpf_status mpf_session_run(mpf_session *session, mpf_result **out);
/// Programs of mpf_compile, else MPF_USAGE: begins a run, and waits for it. Other calls in between
/// are MPF_USAGE.
MPF_API mpf_status mpf_session_start(mpf_session *session);
MPF_API mpf_status mpf_session_finish(mpf_session *session, mpf_result **out);
MPF_API const char *mpf_session_error(const mpf_session *session);
MPF_API void mpf_session_free(mpf_session *session);

// Results. Tables are row-major over their variables, the last one fastest. A table without
// variables is one number.

MPF_API mpf_status mpf_result_query(const mpf_result *result, const char **name);
/// The device that answered: "cpu (avx2, 2 threads)"; may be empty.
MPF_API mpf_status mpf_result_device(const mpf_result *result, const char **device);
/// Whether the evidence has probability zero: posteriors then have no entries.
MPF_API mpf_status mpf_result_is_impossible(const mpf_result *result, int *is_impossible);
/// The answer of a query with one number, and the number beside the posteriors of marginals:
/// mantissa * 2^exponent, which may exceed the range of doubles.
MPF_API mpf_status mpf_result_number(const mpf_result *result, double *mantissa, int64_t *exponent);
/// The natural logarithm of that number; -infinity for 0.
MPF_API mpf_status mpf_result_log(const mpf_result *result, double *log);
/// The entry for a label of each variable of a table, in any order. A variable without labels calls
/// its states "0", "1", ... An observed variable has 1 for its state. Numbers out of the range of
/// doubles become 0 or infinite.
MPF_API mpf_status mpf_result_at(const mpf_result *result, const char *const *variables,
                                 const char *const *labels, size_t count, double *value);
/// The index of the table with these variables, in any order.
MPF_API mpf_status mpf_result_find(const mpf_result *result, const char *const *variables,
                                   size_t rank, size_t *table);
MPF_API mpf_status mpf_result_table_count(const mpf_result *result, size_t *count);
/// Sums of the MPF_TABLE_ numbers are the `kind` of a table.
#define MPF_TABLE_POSTERIOR 1u /* the entries sum to 1 */
#define MPF_TABLE_LOGARITHM 2u /* `logsum`: the answers are mpf_result_logs */
#define MPF_TABLE_WHOLE 4u     /* exact whole numbers: mpf_result_integers */
/// A table: its name, kind, and number of entries. The name is that of the query, or for marginals
/// "evidence" or the variable.
MPF_API mpf_status mpf_result_table(const mpf_result *result, size_t table, const char **name,
                                    uint32_t *kind, uint64_t *entries);
/// The variable of an axis of a table; null behind the last.
MPF_API mpf_status mpf_result_axis(const mpf_result *result, size_t table, size_t axis,
                                   const char **variable, uint32_t *states);
/// Copy all entries of a table. `count`: the size of the arrays, which must be that of the table.
/// Values are the nearest doubles, 0 or infinite out of their range; logs are natural. Both are NaN
/// in a row of P(x | y) whose y has probability 0. The numbers of mpf_result_scaled are mantissa *
/// 2^exponent, and 0 there. Whole numbers are high * 2^64 + low.
MPF_API mpf_status mpf_result_values(const mpf_result *result, size_t table, double *values,
                                     uint64_t count);
MPF_API mpf_status mpf_result_logs(const mpf_result *result, size_t table, double *logs,
                                   uint64_t count);
MPF_API mpf_status mpf_result_scaled(const mpf_result *result, size_t table, double *mantissas,
                                     int64_t *exponents, uint64_t count);
MPF_API mpf_status mpf_result_integers(const mpf_result *result, size_t table, uint64_t *low,
                                       uint64_t *high, uint64_t count);
/// The number of decoded assignments: 1 for a query `best`, unless no assignment has a value.
MPF_API mpf_status mpf_result_assignment_count(const mpf_result *result, size_t *count);
/// The state of a variable in an assignment, and its label, or its number as a text.
MPF_API mpf_status mpf_result_state(const mpf_result *result, size_t assignment,
                                    const char *variable, uint32_t *state, const char **label);
/// The complete result as JSON, as `mpfc run --json` writes it.
MPF_API mpf_status mpf_result_json(mpf_result *result, const char **text, size_t *bytes);
MPF_API const char *mpf_result_error(const mpf_result *result);
MPF_API void mpf_result_free(mpf_result *result);

// Lists of cases: rows of evidence, each with its answers. They need a program of
// mpf_compile_cases.

/// Types of the cells of a column. Negative numbers, NaN and the largest number of an unsigned type
/// mean "not observed"; so do empty and null texts. Where labels look like numbers, a number that
/// could be a label or the number of another state is refused, unless the option "states" says what
/// it means.
typedef enum mpf_type {
  MPF_INT8 = 1,
  MPF_UINT8,
  MPF_INT16,
  MPF_UINT16,
  MPF_INT32,
  MPF_UINT32,
  MPF_INT64,
  MPF_UINT64,
  MPF_FLOAT,
  MPF_DOUBLE,
  MPF_BOOL, ///< bytes 0 and 1
  MPF_TEXT  ///< `const char *`: a label
} mpf_type;

/// A column of cells: that of row i lies at data + i * stride_bytes.
typedef struct mpf_column {
  uint32_t size; ///< sizeof(mpf_column)
  int32_t type;  ///< mpf_type
  const char *variable;
  const void *data;
  int64_t stride_bytes; ///< may be negative
} mpf_column;

/// The numbers that an array receives.
typedef enum mpf_answer_kind {
  MPF_VALUES = 1, ///< double: the nearest doubles, 0 or infinite out of their range; posteriors are
                  ///< NaN where the evidence, or the condition of a row, is impossible
  MPF_LOGS = 2,   ///< double: natural logarithms; -infinity for 0, NaN in such posteriors
  MPF_STATES = 3  ///< int32_t: the state of each variable in the best assignment; -1: there is none
} mpf_answer_kind;

/// An array for answers: those of row i begin at data + i * stride_bytes, side by side.
typedef struct mpf_answer {
  uint32_t size; ///< sizeof(mpf_answer)
  int32_t kind;  ///< mpf_answer_kind
  /// The name of the table: the query, or for marginals "evidence" or a variable. If two tables
  /// have the name, `entries` decides. Null: the first table. Not read for MPF_STATES.
  const char *table;
  uint64_t entries; ///< numbers in a row: the entries of the table, or the variables of the program
  void *data;
  int64_t stride_bytes;
} mpf_answer;

/// Opens an engine for cases. The option "rows" is the approximate number of cases in all calls;
/// "on-device" is "true" for cases in the memory of a GPU (mpf_c_device.h).
MPF_API mpf_status mpf_cases_open(const mpf_program *program,
                                  MPF_OPTIONAL const mpf_options *options, mpf_cases **out);
/// Sets the values of a factor in all cases.
MPF_API mpf_status mpf_cases_bind(mpf_cases *cases, const char *factor, const double *values,
                                  uint64_t count);
/// Answers `rows` cases. MPF_USAGE: the program has variables of the option "likelihood" or params
/// of "case-param", which rows do not set. Variables without a column are not observed. The message
/// of MPF_BAD_INPUT has the row and the column of a wrong cell. MPF_OVERFLOW: a count of a row does
/// not fit its type. When a call fails, answers of some rows may have been written.
MPF_API mpf_status mpf_cases_run(mpf_cases *cases, const mpf_column *columns, size_t column_count,
                                 uint64_t rows, const mpf_answer *answers, size_t answer_count);
MPF_API const char *mpf_cases_error(const mpf_cases *cases);
MPF_API void mpf_cases_free(mpf_cases *cases);

#ifdef __cplusplus
}
#endif
#endif

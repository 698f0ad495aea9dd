/* The glue for R's .Call: mpf_posterior(file, variable, given), where `given` is a named character
   vector of findings, returns the posterior as a named vector. */
#include <R.h>
#include <Rinternals.h>
#include <mpf_c.h>
#include <string.h>

typedef struct handles {
  mpf_network *network;
  mpf_program *program;
  mpf_session *session;
  mpf_result *result;
} handles;

static void free_handles(handles *own) {
  mpf_result_free(own->result);
  mpf_session_free(own->session);
  mpf_program_free(own->program);
  mpf_network_free(own->network);
}

/* Ends the call with the message of mpf. R jumps out of error(), so everything is freed before. */
static void check(handles *own, mpf_status status) {
  char message[1024];
  if (status == MPF_OK)
    return;
  strncpy(message, mpf_last_error(), sizeof message - 1);
  message[sizeof message - 1] = '\0';
  free_handles(own);
  error("%s", message);
}

static const char *text(SEXP vector, R_xlen_t i) { return translateCharUTF8(STRING_ELT(vector, i)); }

SEXP mpf_posterior(SEXP file, SEXP variable, SEXP given) {
  handles own = {NULL, NULL, NULL, NULL};
  const char *axis = text(variable, 0), *name = NULL, *label = NULL;
  char query[256];
  SEXP names = getAttrib(given, R_NamesSymbol), values, labels;
  size_t place = 0;
  uint32_t states = 0, kind = 0, state;
  uint64_t entries = 0;
  R_xlen_t i;
  if (strlen(axis) > sizeof query - 4)
    error("the name of the variable is too long");
  strcat(strcat(strcpy(query, "P("), axis), ")");
  check(&own, mpf_network_read(text(file, 0), NULL, &own.network));
  check(&own, mpf_compile_cases(own.network, query, NULL, &own.program));
  check(&own, mpf_session_open(own.program, NULL, &own.session));
  for (i = 0; i < xlength(given); ++i)
    check(&own, mpf_session_observe_label(own.session, text(names, i), text(given, i)));
  check(&own, mpf_session_run(own.session, &own.result));
  check(&own, mpf_result_table(own.result, 0, &name, &kind, &entries));
  values = PROTECT(allocVector(REALSXP, (R_xlen_t)entries));
  labels = PROTECT(allocVector(STRSXP, (R_xlen_t)entries));
  check(&own, mpf_result_values(own.result, 0, REAL(values), entries));
  do {
    check(&own, mpf_program_variable(own.program, place++, &name, &states));
  } while (name != NULL && strcmp(name, axis) != 0);
  for (state = 0; name != NULL && state < entries; ++state) {
    check(&own, mpf_program_label(own.program, place - 1, state, &label));
    if (label != NULL)
      SET_STRING_ELT(labels, state, mkCharCE(label, CE_UTF8));
  }
  setAttrib(values, R_NamesSymbol, labels);
  free_handles(&own);
  UNPROTECT(2);
  return values;
}

/* A long call that the program ends: the callback returns 1 when a run has called it a few times. The
   sum over pairs of 40 variables would take hours. */
#include <mpf_c.h>
#include <stdio.h>
#include <string.h>

enum { VARIABLES = 40, MOST_CALLS = 3 };

static int count_calls(void *user, const char *phase, double seconds, double share) {
  int *calls = user;
  (void)seconds, (void)share;
  *calls += strcmp(phase, "running") == 0;
  return *calls >= MOST_CALLS;
}

static mpf_status build(mpf_network *network) {
  static const double pair[] = {1, 2, 3, 1};
  char names[VARIABLES][8], factor[24];
  mpf_status status = MPF_OK;
  int a, b;
  for (a = 0; a < VARIABLES && status == MPF_OK; ++a) {
    sprintf(names[a], "v%d", a);
    status = mpf_network_add_variable(network, names[a], 2, NULL);
  }
  for (a = 0; a < VARIABLES; ++a)
    for (b = 0; b < a && status == MPF_OK; ++b) {
      const char *scope[2];
      scope[0] = names[a];
      scope[1] = names[b];
      sprintf(factor, "f%d_%d", a, b);
      status = mpf_network_add_factor(network, factor, scope, 2, pair, 4);
    }
  return status;
}

int main(void) {
  mpf_options *options = NULL;
  mpf_network *network = NULL;
  mpf_program *program = NULL;
  mpf_session *session = NULL;
  mpf_result *result = NULL;
  int calls = 0, fits;
  mpf_status status = MPF_OK;
  fits = mpf_options_new(&options) == MPF_OK &&
         mpf_options_set(options, "device", "cpu") == MPF_OK &&
         mpf_options_set(options, "max-memory", "16M") == MPF_OK &&
         mpf_network_new("pairs", &network) == MPF_OK && build(network) == MPF_OK &&
         mpf_compile(network, "evidence", options, &program) == MPF_OK &&
         mpf_options_set_progress(options, count_calls, &calls) == MPF_OK &&
         mpf_session_open(program, options, &session) == MPF_OK;
  if (fits)
    status = mpf_session_run(session, &result);
  if (fits && status == MPF_CANCELLED)
    printf("%s\n", mpf_status_name(status));
  else
    fprintf(stderr, "%s\n", mpf_last_error());
  mpf_result_free(result);
  mpf_session_free(session);
  mpf_program_free(program);
  mpf_network_free(network);
  mpf_options_free(options);
  return fits && status == MPF_CANCELLED ? 0 : 1;
}

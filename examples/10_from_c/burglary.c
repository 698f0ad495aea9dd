/* One case after the other: who calls, and how likely is a burglar? The argument is
   examples/06_interchange/burglary.bif. */
#include <mpf_c.h>
#include <stdio.h>

static int answer(mpf_session *session, const char *variable, const char *label) {
  const char *burglary[] = {"burglary"}, *yes[] = {"yes"};
  mpf_result *result = NULL;
  double posterior = 0;
  int fits = mpf_session_observe_label(session, variable, label) == MPF_OK &&
             mpf_session_run(session, &result) == MPF_OK &&
             mpf_result_at(result, burglary, yes, 1, &posterior) == MPF_OK;
  if (fits)
    printf("%s %s: %.4f\n", variable, label, posterior);
  mpf_result_free(result);
  return fits;
}

int main(int count, char **arguments) {
  mpf_options *options = NULL;
  mpf_network *network = NULL;
  mpf_program *program = NULL;
  mpf_session *session = NULL;
  int fits = count == 2 && mpf_options_new(&options) == MPF_OK &&
             mpf_options_set(options, "device", "cpu") == MPF_OK &&
             mpf_network_read(arguments[1], options, &network) == MPF_OK &&
             mpf_compile_cases(network, "P(burglary)", options, &program) == MPF_OK &&
             mpf_session_open(program, options, &session) == MPF_OK;
  /* Findings stay until they are changed or taken away. */
  fits = fits && answer(session, "john", "calls") && answer(session, "mary", "calls") &&
         answer(session, "earthquake", "yes") &&
         mpf_session_unobserve(session, "earthquake") == MPF_OK &&
         answer(session, "mary", "silent");
  if (!fits)
    fprintf(stderr, "%s\n", count == 2 ? mpf_last_error() : "usage: burglary FILE");
  mpf_session_free(session);
  mpf_program_free(program);
  mpf_network_free(network);
  mpf_options_free(options);
  return fits ? 0 : 1;
}

/* Many rows at once: a network from arrays, columns in the program's memory, an answer for each row. */
#include <mpf_c.h>
#include <stdio.h>

enum { ROWS = 4 };

/* Rows of a table, as a program may have them. */
typedef struct patient {
  double age; /* not used by the network */
  int8_t fever;
  const char *cough;
} patient;

static const patient patients[ROWS] = {
    {31, 1, "yes"}, {54, 1, NULL}, {22, -1, "no"}, {40, 0, "no"}};

static mpf_status build(mpf_network *network) {
  static const char *const answers[] = {"no", "yes"}, *const flu[] = {"flu"};
  static const double of_flu[] = {0.9, 0.1};
  static const double of_fever[] = {0.95, 0.05, 0.2, 0.8}; /* P(fever | flu): a row for each state of flu */
  static const double of_cough[] = {0.8, 0.2, 0.3, 0.7};
  mpf_status status = mpf_network_add_variable(network, "flu", 2, answers);
  if (status == MPF_OK)
    status = mpf_network_add_variable(network, "fever", 2, answers);
  if (status == MPF_OK)
    status = mpf_network_add_variable(network, "cough", 2, answers);
  if (status == MPF_OK)
    status = mpf_network_add_conditional(network, "flu", NULL, 0, of_flu, 2);
  if (status == MPF_OK)
    status = mpf_network_add_conditional(network, "fever", flu, 1, of_fever, 4);
  if (status == MPF_OK)
    status = mpf_network_add_conditional(network, "cough", flu, 1, of_cough, 4);
  return status;
}

int main(void) {
  mpf_network *network = NULL;
  mpf_program *program = NULL;
  mpf_cases *cases = NULL;
  double posteriors[ROWS][2], logs[ROWS];
  mpf_column columns[2] = {
      {sizeof(mpf_column), MPF_INT8, "fever", &patients[0].fever, sizeof(patient)},
      {sizeof(mpf_column), MPF_TEXT, "cough", &patients[0].cough, sizeof(patient)}};
  mpf_answer answers[2] = {
      {sizeof(mpf_answer), MPF_VALUES, "flu", 2, posteriors, sizeof posteriors[0]},
      {sizeof(mpf_answer), MPF_LOGS, "evidence", 1, logs, sizeof logs[0]}};
  int fits = mpf_network_new("flu", &network) == MPF_OK && build(network) == MPF_OK &&
             mpf_compile_cases(network, "marginals", NULL, &program) == MPF_OK &&
             mpf_cases_open(program, NULL, &cases) == MPF_OK &&
             mpf_cases_run(cases, columns, 2, ROWS, answers, 2) == MPF_OK;
  int row;
  for (row = 0; fits && row < ROWS; ++row)
    printf("P(flu = yes) %.4f, ln P(row) %.4f\n", posteriors[row][1], logs[row]);

  /* A wrong cell has its row and its column in the message. */
  if (fits) {
    const char *wrong = "maybe";
    columns[1].data = &wrong;
    columns[1].stride_bytes = 0;
    fits = mpf_cases_run(cases, columns, 2, ROWS, answers, 2) == MPF_BAD_INPUT;
    printf("%s\n", mpf_cases_error(cases));
  }
  if (!fits)
    fprintf(stderr, "%s\n", mpf_last_error());
  mpf_cases_free(cases);
  mpf_program_free(program);
  mpf_network_free(network);
  return fits ? 0 : 1;
}

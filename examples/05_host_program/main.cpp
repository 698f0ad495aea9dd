// A host program: compile a model once, then ask it for many cases, one by one or in a list.
#include <mpf/mpf.h>

#include <cstdio>

static const std::string kNetwork = R"(
  var disease : {no, yes}
  var test[3] : {negative, positive}
  prob P(disease) = [0.99, 0.01]
  for i in 0..3:
    prob P(test[i] | disease) = [[0.9, 0.1], [0.2, 0.8]]
  query P(disease)
)";

static std::string test(int i) { return "test[" + std::to_string(i) + "]"; }

/// Answers cases one by one; the same variables are observed each time.
static void askOneByOne() {
  const mpf::Program program =
      mpf::compileText(kNetwork + "for i in 0..3:\n observe test[i] = negative\n");
  mpf::Session session(program);
  const char *states[] = {"negative", "positive"};
  for (int positives = 0; positives <= 3; ++positives) {
    for (int i = 0; i < 3; ++i)
      session.observe(test(i), states[i < positives ? 1 : 0]);
    const mpf::Result result = session.run();
    const double yes = result.tables.front().at(1).value().value_or(0);
    std::printf("%d positive: P(disease) = %.6f\n", positives, yes);
  }

  try {
    session.observe("test[7]", "positive");
  } catch (const mpf::Error &error) {
    std::printf("refused: %s\n", error.what());
  }
}

/// Answers a list of cases; each may observe different variables.
static void askForAList() {
  const mpf::CaseProgram program = mpf::compileCasesText(kNetwork);
  mpf::CaseSession session(program);
  mpf::CaseBlock block = program.block(3); // nothing is observed yet
  block.count = 3;
  program.observe(block, 1, test(0), "positive");
  program.observe(block, 2, test(0), "positive");
  program.observe(block, 2, test(2), "positive");
  mpf::CaseAnswers answers;
  session.run(block, answers);
  for (uint32_t i = 0; i < block.count; ++i)
    std::printf("%u known: P(disease) = %.6f\n", i,
                answers.tables.front().at(i, 1).value().value_or(0));
}

int main() {
  askOneByOne();
  askForAList();
  return 0;
}

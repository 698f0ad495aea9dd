// A host program: compile a model once, then ask it for many cases.
#include "runtime/api/mpf.h"

#include <cstdio>

int main() {
  const mpf::Program program = mpf::compileText(R"(
    var disease : {no, yes}
    var test[3] : {negative, positive}
    prob P(disease) = [0.99, 0.01]
    for i in 0..3:
      prob P(test[i] | disease) = [[0.9, 0.1], [0.2, 0.8]]
    for i in 0..3:
      observe test[i] = negative
    query P(disease)
  )");
  mpf::Session session(program);
  const char *states[] = {"negative", "positive"};
  for (int positives = 0; positives <= 3; ++positives) {
    for (int i = 0; i < 3; ++i)
      session.observe("test[" + std::to_string(i) + "]", states[i < positives ? 1 : 0]);
    const mpf::Result result = session.run();
    const double yes = result.tables.front().at(1).value().value_or(0);
    std::printf("%d positive: P(disease) = %.6f\n", positives, yes);
  }

  try {
    session.observe("test[7]", "positive");
  } catch (const mpf::Error &error) {
    std::printf("refused: %s\n", error.what());
  }
  return 0;
}

#include <cstdio>
#include <mpf/mpf.h>

int main(int, char **arguments) { // arguments[1]: examples/06_interchange/burglary.bif
  const mpf::Program program = mpf::compileFile(
      arguments[1], {.query = "P(burglary)", .observe = "john = calls, mary = calls"});
  mpf::Session session(program);
  for (const char *mary : {"calls", "silent"}) {
    session.observe("mary", mary);
    const mpf::Result result = session.run();
    std::printf("mary %s: %.4f\n", mary, result.at("burglary", "yes").value().value());
  }
}

// A network built from arrays, asked by names, and written for other programs.
#include <mpf/mpf.h>

#include <cstdio>
#include <vector>

int main() {
  mpf::Network network("weather");
  network.addVariable("rain", {"no", "yes"});
  network.addVariable("wet lawn", {"no", "yes"}); // any text is a name
  network.addConditional("rain", {}, std::vector{0.8, 0.2});
  network.addConditional("wet lawn", {"rain"}, std::vector{0.9, 0.1, 0.2, 0.8});

  for (const mpf::FactorInfo &factor : network.factors())
    std::printf("%s: %llu entries\n", factor.name.c_str(),
                static_cast<unsigned long long>(factor.sizeElems));

  network.observe("wet lawn", "yes");
  mpf::Session session(mpf::compile(network, {.query = "P(rain)"}));
  std::printf("P(rain | wet lawn) = %.6f\n", session.run().at("rain", "yes").value().value());
  std::printf("most probable: rain = %s\n",
              mpf::Session(mpf::compile(network, {.query = "best"})).run().stateOf("rain").c_str());
  std::printf("%s", network.text(".mpf").c_str());

  // Evidence that changes from call to call, on any variable, without another compilation.
  network.unobserve("wet lawn");
  mpf::SingleCase one(mpf::compileCases(network, {}, {.query = "marginals"}));
  one.observe("rain", "no");
  std::printf("P(wet lawn | no rain) = %.6f\n", one.run().at("wet lawn", "yes").value().value());
  one.unobserve("rain");
  std::printf("P(wet lawn) = %.6f\n", one.run().at("wet lawn", "yes").value().value());

  try {
    network.addConditional("rain", {}, std::vector{0.5, 0.5});
  } catch (const mpf::Error &error) {
    std::printf("refused: %s\n", error.what());
  }
}

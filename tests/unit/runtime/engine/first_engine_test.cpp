#include "runtime/engine/first_engine.h"

#include "dsl/support/error.h"

#include <gtest/gtest.h>

#include <new>
#include <vector>

namespace mpf {
namespace {

EngineAttempt makes(uint32_t cases) {
  return [cases] {
    CaseEngine engine;
    engine.bestBlockCases = cases;
    return engine;
  };
}

EngineAttempt refuses(ErrorKind kind, const char *message) {
  return [=]() -> CaseEngine { throw Error(kind, message); };
}

CaseEngine runsOut() { throw std::bad_alloc(); }

std::string errorOf(const std::vector<EngineAttempt> &attempts) {
  try {
    firstEngine(attempts);
  } catch (const Error &error) {
    return error.what();
  } catch (const std::bad_alloc &) {
    return "bad_alloc";
  }
  return "";
}

TEST(FirstEngine, WhatCannotAnswerIsPassedOver) {
  const EngineAttempt unsupported = refuses(ErrorKind::Unsupported, "no logs");
  const EngineAttempt tooLarge = refuses(ErrorKind::MemoryBound, "too large");
  struct Row {
    std::vector<EngineAttempt> attempts;
    size_t attempt;
    bool wasTooLarge;
  };
  for (const Row &row :
       {Row{{makes(7), unsupported}, 0, false}, Row{{unsupported, makes(7)}, 1, false},
        Row{{tooLarge, unsupported, makes(7)}, 2, true}, Row{{runsOut, makes(7)}, 1, true}}) {
    const ChosenEngine chosen = firstEngine(row.attempts);
    EXPECT_EQ(chosen.attempt, row.attempt);
    EXPECT_EQ(chosen.wasTooLarge, row.wasTooLarge);
    EXPECT_EQ(chosen.engine.bestBlockCases, 7u);
  }
}

TEST(FirstEngine, ManyRefusalsAreOneError) {
  const EngineAttempt unsupported = refuses(ErrorKind::Unsupported, "no logs");
  const EngineAttempt tooLarge = refuses(ErrorKind::MemoryBound, "too large");
  const EngineAttempt larger = refuses(ErrorKind::MemoryBound, "larger");
  EXPECT_EQ(errorOf({unsupported}), "no logs");
  EXPECT_EQ(errorOf({unsupported, tooLarge}), "too large");
  EXPECT_EQ(errorOf({tooLarge, unsupported}), "too large"); // with more memory it would answer
  EXPECT_EQ(errorOf({tooLarge, larger, unsupported}), "larger");
  EXPECT_EQ(errorOf({unsupported, runsOut}), "bad_alloc");
}

TEST(FirstEngine, OtherErrorsEndTheSearch) {
  for (const ErrorKind kind : {ErrorKind::BadInput, ErrorKind::Device, ErrorKind::Internal})
    EXPECT_EQ(errorOf({refuses(kind, "broken"), makes(7)}), "broken");
}

} // namespace
} // namespace mpf

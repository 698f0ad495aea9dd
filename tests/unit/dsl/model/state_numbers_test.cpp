// States that numbers mean if labels look like numbers.
#include "dsl/model/state_numbers.h"

#include <cmath>
#include <gtest/gtest.h>

namespace mpf {
namespace {

using Labels = std::vector<std::string>;

/// Returns the state that a text means. -1: it is refused; -2: numbers are just places.
int stateOf(const Labels &labels, std::string_view text,
            NumberReading reading = NumberReading::Both) {
  const StateNumbers numbers(labels);
  if (numbers.arePlaces())
    return -2;
  const auto state = numbers.find(labels, {*numberInText(text), text}, reading);
  return state ? static_cast<int>(*state) : -1;
}

std::string said(const Labels &labels, std::string_view text) {
  const StateNumbers numbers(labels);
  const StateNumber number{*numberInText(text), text};
  return numbers.readings(labels, "Y", number) + " | " + numbers.strings(labels, number);
}

TEST(StateNumbers, WhatLooksLikeANumber) {
  for (const char *text : {"0", "-1", "+1", "01", "1.0", ".5", "1e3", "1e999"})
    EXPECT_TRUE(numberInText(text)) << text;
  for (const char *text :
       {"", "-", "one", "inf", "nan", "-inf", "1a", "0x10", "1,5", "0-4", "--1", "+-1"})
    EXPECT_FALSE(numberInText(text)) << text;
}

TEST(StateNumbers, NumbersArePlacesWhereNoLabelSaysOtherwise) {
  for (const Labels &labels : {Labels{}, Labels{"a", "b"}, Labels{"0", "1", "2"},
                               Labels{"no", "yes"}, Labels{"FALSE", "True"}, Labels{"off", "on"},
                               Labels{"yes", "maybe"}, Labels{"true", "false", "unknown"}})
    EXPECT_TRUE(StateNumbers(labels).arePlaces());
  for (const Labels &labels : {Labels{"1"}, Labels{"1", "2"}, Labels{"a", "1"}, Labels{"yes", "no"},
                               Labels{"TRUE", "False"}, Labels{"on", "Off"}, Labels{"00", "01"}})
    EXPECT_FALSE(StateNumbers(labels).arePlaces());
}

TEST(StateNumbers, ANumberIsAStateWhereBothReadingsAre) {
  EXPECT_EQ(stateOf({"1", "2"}, "1"), -1);
  EXPECT_EQ(stateOf({"1", "2"}, "2"), -1);
  EXPECT_EQ(stateOf({"1", "2"}, "0"), -1);
  EXPECT_EQ(stateOf({"2", "1", "0"}, "1"), 1);
  EXPECT_EQ(stateOf({"2", "1", "0"}, "1.0"), 1);
  EXPECT_EQ(stateOf({"-1", "0", "1"}, "-1"), -1);
  EXPECT_EQ(stateOf({"a", "1"}, "1"), 1);
  EXPECT_EQ(stateOf({"a", "1"}, "0"), -1);
  EXPECT_EQ(stateOf({"True", "False"}, "1"), -1);
  EXPECT_EQ(stateOf({"00", "01"}, "1"), 1);
  EXPECT_EQ(stateOf({"0.5", "1.5"}, "0.5"), -1);
}

TEST(StateNumbers, OneOfTwoEqualValuesIsSettledByTheText) {
  EXPECT_EQ(stateOf({"01", "1"}, "1"), 1);
  EXPECT_EQ(stateOf({"01", "1"}, "01"), -1);
  EXPECT_EQ(stateOf({"01", "1"}, "1.0"), -1);
  EXPECT_EQ(stateOf({"01", "1"}, "01", NumberReading::Label), 0);
  EXPECT_EQ(stateOf({"01", "1"}, "1.0", NumberReading::Label), -1);
  EXPECT_EQ(stateOf({"10000000000000000001", "10000000000000000002"}, "10000000000000000002",
                    NumberReading::Label),
            1);
}

TEST(StateNumbers, TheCallerSaysWhichReadingCounts) {
  EXPECT_EQ(stateOf({"1", "0"}, "1", NumberReading::Label), 0);
  EXPECT_EQ(stateOf({"1", "0"}, "1", NumberReading::Place), 1);
  EXPECT_EQ(stateOf({"1", "2"}, "2.0", NumberReading::Label), 1);
  EXPECT_EQ(stateOf({"1", "2"}, "0", NumberReading::Label), -1);
  EXPECT_EQ(stateOf({"1", "2"}, "2", NumberReading::Place), -1);
  EXPECT_EQ(stateOf({"yes", "no"}, "1", NumberReading::Label), 0);
  EXPECT_EQ(stateOf({"yes", "no"}, "1", NumberReading::Place), 1);
}

TEST(StateNumbers, MessagesShowBothReadings) {
  EXPECT_EQ(said({"1", "2"}, "1"), "'1' is the label of state 0 of 'Y' and the number of state 1 "
                                   "(label '2') | \"1\" or \"2\"");
  EXPECT_EQ(said({"1", "2"}, "2"),
            "'2' is the label of state 1 of 'Y', and no state has this number | \"2\"");
  EXPECT_EQ(said({"1", "2"}, "2.0"),
            "'2.0' equals the label '2' (state 1) of 'Y', and no state has this number | \"2\"");
  EXPECT_EQ(said({"1", "2"}, "0"),
            "'0' is no label of 'Y' but the number of state 0 (label '1') | \"1\"");
  EXPECT_EQ(said({"1", "2"}, "7"), "'7' is neither a label of 'Y' nor the number of a state | ");
  EXPECT_EQ(said({"True", "False"}, "0"),
            "'0' stands for the label 'False' (state 1) of 'Y' and is the number of state 0 "
            "(label 'True') | \"False\" or \"True\"");
  EXPECT_EQ(said({"01", "1"}, "1.0"), "'1.0' equals 2 labels of 'Y', '01' and '1' and is the "
                                      "number of state 1 (label '1') | \"01\" or \"1\"");
}

} // namespace
} // namespace mpf

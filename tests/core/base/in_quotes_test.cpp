// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/in_quotes.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace dubito {
namespace {

TEST(InQuotes, ShowsWhatCanBeShown) {
  EXPECT_EQ(inQuotes("cat"), "'cat'");
  EXPECT_EQ(inQuotes(""), "''");
  EXPECT_EQ(inQuotes("a\nb\x1B[31m\x7F"), "'a?b?[31m?'");
  EXPECT_EQ(inQuotes("Gr\xC3\xBC\xC3\x9F"), "'Gr\xC3\xBC\xC3\x9F'");
}

TEST(InQuotes, ReplacesBytesThatAreNoCharacter) {
  EXPECT_EQ(inQuotes("caf\xE9"), "'caf?'");            // Latin-1
  EXPECT_EQ(inQuotes("\xE2\x82"), "'?\?'");            // cut short
  EXPECT_EQ(inQuotes("\xC3\xC3\xBC"), "'?\xC3\xBC'");  // a lead byte alone
  EXPECT_EQ(inQuotes("\xFF\x80"), "'?\?'");
}

/// Control characters of Latin-1, and what makes a name read otherwise than it is.
TEST(InQuotes, ReplacesControlCharactersBeyondAscii) {
  EXPECT_EQ(inQuotes("\xC2\x9B"
                     "31m"),
            "'?31m'");
  EXPECT_EQ(inQuotes("\xC2\xA0"), "'\xC2\xA0'");
  EXPECT_EQ(inQuotes("gpj.\xE2\x80\xAE"
                     "exe"),
            "'gpj.?exe'");
  EXPECT_EQ(inQuotes("\xE2\x81\xA7x\xE2\x80\xA9"), "'?x\xE2\x80\xA9'");
}

TEST(InQuotes, ListsTheFirstNames) {
  EXPECT_EQ(inQuotes(std::vector<std::string>{"cat", "d\ng"}), "'cat', 'd?g'");
  EXPECT_EQ(inQuotes(std::vector<std::string>()), "");
  EXPECT_EQ(inQuotes(std::vector<std::string>(10, "a")),
            "'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a' and 2 more");
}

TEST(InQuotes, CutsLongTextBetweenCharacters) {
  EXPECT_EQ(inQuotes(std::string(80, 'x')), "'" + std::string(80, 'x') + "'");
  EXPECT_EQ(inQuotes(std::string(81, 'x')), "'" + std::string(80, 'x') + "...'");
  EXPECT_EQ(inQuotes(std::string(79, 'x') + "\xC3\xBC"), "'" + std::string(79, 'x') + "...'");
}

}  // namespace
}  // namespace dubito

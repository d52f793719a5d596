// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/file_names.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>

namespace dubito {
namespace {

TEST(FileNames, EscapeWhatIsNoName) {
  EXPECT_EQ(fileNameOf("cat"), "cat");
  EXPECT_EQ(fileNameOf(""), "%_");
  EXPECT_EQ(fileNameOf("."), "%2E");
  EXPECT_EQ(fileNameOf(".."), "%2E.");
  EXPECT_EQ(fileNameOf("a/b\\c\n%"), "a%2Fb%5Cc%0A%25");
  EXPECT_EQ(fileNameOf(std::string("\0", 1)), "%00");
  EXPECT_EQ(containedPath("/etc//passwd/"), "%_/etc/%_/passwd/%_");
  EXPECT_EQ(containedPath("../../a.png"), "%2E./%2E./a.png");
}

TEST(FileNames, LeaveWhatOtherProgramsWrote) {
  EXPECT_EQ(textOfFileName("100%"), "100%");
  EXPECT_EQ(textOfFileName("50%41"), "50%41");
  EXPECT_EQ(textOfFileName("%zz"), "%zz");
  EXPECT_EQ(textOfFileName("a%2E"), "a%2E");
  EXPECT_EQ(textOfFileName("%"), "%");
}

TEST(FileNames, ComeBackAsTheyWere) {
  std::mt19937 random(1);
  const std::string letters = std::string("%_/.\\2EFae \n\0\x7F\xC3\xA4", 16);
  for (int round = 0; round < 20000; ++round) {
    std::string text(random() % 8, ' ');
    for (char& c : text) {
      c = letters[random() % letters.size()];
    }
    const std::string name = fileNameOf(text);
    ASSERT_EQ(textOfFileName(name), text);
    ASSERT_EQ(name.find_first_of(std::string("/\\\0", 3)), std::string::npos);
    ASSERT_TRUE(!name.empty() && name != "." && name != "..");
    const std::string contained = containedPath(text);
    ASSERT_EQ(pathOfContained(contained), text);
    ASSERT_EQ(std::filesystem::path(contained).lexically_normal(), contained);
    ASSERT_TRUE(std::filesystem::path(contained).is_relative());
  }
}

}  // namespace
}  // namespace dubito

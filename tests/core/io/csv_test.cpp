// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/csv.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using Rows = std::vector<std::vector<std::string>>;

/// All rows of a file with this content, the header first; the error's message alone where it
/// fails.
Rows readAll(const std::string& content) {
  const test::TempDir dir;
  test::writeBytes(dir.path() / "t.csv", content);
  auto csv = CsvReader::open(dir.file("t.csv"));
  if (!csv) {
    return {{csv.error().message}};
  }
  Rows rows{csv->header()};
  std::vector<std::string_view> fields;
  for (;;) {
    const auto any = csv->next(fields);
    if (!any) {
      return {{any.error().message}};
    }
    if (!*any) {
      return rows;
    }
    rows.emplace_back(fields.begin(), fields.end());
  }
}

TEST(Csv, ReadsLinesOfEveryKind) {
  const Rows expected{{"a", "b"}, {"1", "2"}, {"3", ""}};
  EXPECT_EQ(readAll("a,b\n1,2\n3,\n"), expected);
  EXPECT_EQ(readAll("a,b\r\n1,2\r\n3,"), expected);
  EXPECT_EQ(readAll("\xEF\xBB\xBF"
                    "a,b\r1,2\r3,\r"),
            expected);
  EXPECT_EQ(readAll("a;b\n1;2\n3;\n"), expected);
  EXPECT_EQ(readAll("a\tb\n1\t2\n\n3\t\n\n"), expected);
}

TEST(Csv, ReadsQuotedFields) {
  EXPECT_EQ(readAll("\"a,x\",b\n\"1\"\"2\"\"\",\"two\r\nlines\"\n\"\",\"\"\n"),
            (Rows{{"a,x", "b"}, {"1\"2\"", "two\r\nlines"}, {"", ""}}));
}

TEST(Csv, NamesTheLineOfARaggedRow) {
  const Rows longer = readAll("a,b\n\"x\ny\",2\n1,2,3\n");
  ASSERT_EQ(longer.size(), 1U);
  EXPECT_THAT(longer[0][0], HasSubstr("line 4 has 3 values, but the header has 2 names"));
  const Rows shorter = readAll("a,b\n1\n");
  EXPECT_THAT(shorter[0][0], HasSubstr("line 2 has 1 values, but the header has 2 names"));
}

TEST(Csv, RefusesWhatIsNoTable) {
  EXPECT_THAT(readAll("")[0][0], HasSubstr("is empty"));
  EXPECT_THAT(readAll("\n\n")[0][0], HasSubstr("is empty"));
  EXPECT_THAT(readAll(std::string("a,b\n1,\0\n", 8))[0][0], HasSubstr("NUL"));
  EXPECT_THAT(readAll("a,b\n\"1,2\n")[0][0], HasSubstr("line 2 is never closed"));
  EXPECT_THAT(readAll("a,b\n\"1\"x,2\n")[0][0], HasSubstr("line 2"));
}

TEST(Csv, ParsesNumbers) {
  EXPECT_EQ(parseNumber(" 1.5e-3 "), 1.5e-3);
  EXPECT_EQ(parseNumber("+2"), 2.0);
  EXPECT_EQ(parseNumber("1e-400"), 0.0);
  EXPECT_EQ(parseNumber("1e400"), std::nullopt);
  EXPECT_TRUE(std::isnan(*parseNumber("nan")));
  for (const char* bad : {"", " ", "1,5", "1.5x", "+-1", "0x10", "--1"}) {
    EXPECT_EQ(parseNumber(bad), std::nullopt) << bad;
  }
  EXPECT_EQ(parseInteger("-1"), -1);
  EXPECT_EQ(parseInteger("1.0"), std::nullopt);
  EXPECT_EQ(parseInteger("99999999999999999999"), std::nullopt);
}

}  // namespace
}  // namespace dubito

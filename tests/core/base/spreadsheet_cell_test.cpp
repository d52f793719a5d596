// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/spreadsheet_cell.h"

#include <gtest/gtest.h>

namespace dubito {
namespace {

TEST(SpreadsheetCell, DefusesFormulas) {
  for (const char* formula : {"=cmd|' /C calc'!A0", "+1+cmd", "-2+3", "@SUM(A1)", "\t=1", "\r=1",
                              "=", "-", "-unknown", "+-1"}) {
    EXPECT_EQ(spreadsheetCell(formula), std::string("'") + formula);
  }
}

TEST(SpreadsheetCell, LeavesOtherTextAndNumbersAlone) {
  for (const char* text :
       {"", "cat", "-1", "+1", "-1.5e-3", "-inf", "a=b", "3-2", "'", "'cat'", "é"}) {
    EXPECT_EQ(spreadsheetCell(text), text);
    EXPECT_EQ(withoutApostrophe(text), text);
  }
}

TEST(SpreadsheetCell, CanBeUndone) {
  for (const char* text :
       {"=1", "'=1", "''=1", "-1", "'-1", "@", "'", "''", "'a", "-unknown", "cat"}) {
    EXPECT_EQ(withoutApostrophe(spreadsheetCell(text)), text) << text;
  }
}

}  // namespace
}  // namespace dubito

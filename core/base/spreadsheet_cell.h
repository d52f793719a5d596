// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace dubito {

/// Text of unknown origin as a cell of a table: spreadsheets run a cell that begins with =, +, -,
/// @, a tab or a carriage return as a formula, so such text gets an apostrophe in front, which they
/// do not show. Numbers ("-1") stay as they are.
[[nodiscard]] std::string spreadsheetCell(std::string_view text);

/// The text that spreadsheetCell() was given.
[[nodiscard]] std::string_view withoutApostrophe(std::string_view cell);

}  // namespace dubito

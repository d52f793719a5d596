// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace dubito::cli {

/// Replaces control characters by '?', except line feeds and tabs: names in files of unknown origin
/// could otherwise rewrite what the terminal shows, or type into it.
class PlainText {
 public:
  /// `text` may end within a character; the next call continues there.
  [[nodiscard]] std::string convert(std::string_view text);

 private:
  bool after_c2_ = false;  ///< the first byte of a control character of Latin-1 in UTF-8
};

/// From now on, standard output is written through PlainText. Call it before anything is printed.
void printPlainTextOnly();

}  // namespace dubito::cli

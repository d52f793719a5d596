// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/matchers.h"

namespace dubito::test {

/// A file that is refused, and what the message says about it.
struct Refusal {
  std::string text;
  std::vector<std::string> parts;
};

/// Expects that `read` refuses every file with a message that starts with `path` and has a remedy.
template <class Read>
void expectRefused(const std::vector<Refusal>& refusals, const std::string& path,
                   const Read& read) {
  for (const Refusal& refusal : refusals) {
    SCOPED_TRACE(refusal.text);
    const auto result = read(refusal.text);
    if (result) {
      ADD_FAILURE() << "accepted";
      continue;
    }
    EXPECT_THAT(result.error().message, testing::StartsWith(path + ": "));
    EXPECT_THAT(result.error().message, testing::HasSubstr("; ")) << "no remedy";
    for (const std::string& part : refusal.parts) {
      EXPECT_THAT(result.error().message, testing::HasSubstr(part));
    }
  }
}

}  // namespace dubito::test

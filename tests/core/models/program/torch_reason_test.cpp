// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/program/torch_reason.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace dubito {
namespace {

std::string reasonOf(const std::string& what) {
  return torchReason(std::runtime_error(what));
}

TEST(TorchReason, LeavesTheTraceOut) {
  EXPECT_EQ(reasonOf("in forward\nRuntimeError: sizes differ\nframe #0"), "sizes differ");
  EXPECT_EQ(reasonOf(" \n no such operator\nframe #0"), "no such operator");
  EXPECT_EQ(reasonOf(""), "no reason given");
}

/// As torch words what a network's own program raises.
TEST(TorchReason, IsTheTextOfTheProgramsOwnException) {
  const std::string trace =
      "The following operation failed in the TorchScript interpreter.\n"
      "Traceback of TorchScript, serialized code (most recent call last):\n"
      "  File \"code/__torch__.py\", line 11, in forward\n"
      "    ops.prim.RaiseException(_0)\n    ~~~~~~~ <--- HERE\n    else:\n      pass\n\n"
      "Traceback of TorchScript, original code (most recent call last):\n"
      "  File \"net.py\", line 6, in forward\n    raise ValueError(text)\n"
      "    ~~~~~~~~~~~~~~ <--- HERE\n        return x\n";
  EXPECT_EQ(reasonOf(trace + "builtins.ValueError: three channels, not 1\n"),
            "ValueError: three channels, not 1");
  EXPECT_EQ(reasonOf(trace + "RuntimeError: AssertionError: three channels\nplease\n"),
            "AssertionError: three channels");
  EXPECT_EQ(reasonOf(trace + "RuntimeError: sizes differ\n"), "sizes differ");
}

TEST(TorchReason, ShowsNoBytesThatATerminalActsOn) {
  EXPECT_EQ(reasonOf("found '\x1B[31m\x7F\xFF' here"), "found '?[31m?\?' here");
}

TEST(TorchReason, IsShort) {
  EXPECT_EQ(reasonOf(std::string(500, 'x')), std::string(180, 'x') + "...");
}

}  // namespace
}  // namespace dubito

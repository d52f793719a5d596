// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/torch_reason.h"

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

TEST(TorchReason, ShowsNoBytesThatATerminalActsOn) {
  EXPECT_EQ(reasonOf("found '\x1B[31m\x7F\xFF' here"), "found '?[31m?\?' here");
}

TEST(TorchReason, IsShort) {
  EXPECT_EQ(reasonOf(std::string(500, 'x')), std::string(180, 'x') + "...");
}

}  // namespace
}  // namespace dubito

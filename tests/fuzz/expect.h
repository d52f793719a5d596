// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "core/base/expected.h"

namespace dubito::fuzz {

/// Ends the process, so that the fuzzer keeps the input, where `holds` is false.
inline void expect(bool holds, const char* claim) {
  if (!holds) {
    std::fprintf(stderr, "broken promise: %s\n", claim);
    std::abort();
  }
}

/// An error that a person will read: one line that begins with the file.
inline void expectReadable(const Error& error, const std::string& path) {
  expect(error.message.find(path) != std::string::npos, "an error names its file");
  const auto is_control = [](char c) { return (c >= 0 && c < ' ') || c == '\x7F'; };
  expect(std::none_of(error.message.begin(), error.message.end(), is_control),
         "an error is one line and no terminal takes it for commands");
  expect(error.message.size() < 2000, "an error is short");
}

}  // namespace dubito::fuzz

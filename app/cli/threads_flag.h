// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>

namespace dubito::cli {

inline constexpr const char* kThreadsFlag = "--threads";

/// Declares --threads, a number for threadCount(), with `threads` as its default.
void declareThreads(CLI::App& app, int& threads);

}  // namespace dubito::cli

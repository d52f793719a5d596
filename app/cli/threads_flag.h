// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>

namespace dubito::cli {

inline constexpr const char* kThreadsFlag = "--threads";

/// Declares --threads, the number of CPU threads, with `threads` as its default; 0: all.
void declareThreads(CLI::App& app, int& threads);

/// What --threads stands for: at least 1.
[[nodiscard]] int threadCount(int threads);

}  // namespace dubito::cli

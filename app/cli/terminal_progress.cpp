// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/terminal_progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/base/json_text.h"

namespace dubito::cli {

std::string progressLine(const Progress& progress, double elapsed_seconds,
                         std::int64_t done_before) {
  if (progress.total <= 0) {
    return progress.stage;
  }
  const double share = static_cast<double>(progress.done) / static_cast<double>(progress.total);
  std::string line = fmt::format("{}  {:3.0f} %", progress.stage, std::floor(100.0 * share));
  if (progress.done > done_before && elapsed_seconds > 0.2) {
    const double rate = static_cast<double>(progress.done - done_before) / elapsed_seconds;
    const auto left = std::lround(static_cast<double>(progress.total - progress.done) / rate);
    line += fmt::format("  {} items/s  {}:{:02} left",
                        rate >= 10 ? fmt::format("{:.0f}", rate) : fmt::format("{:.2g}", rate),
                        left / 60, left % 60);
  }
  return line;
}

std::string progressJson(const Progress& progress) {
  return jsonText({{"stage", progress.stage}, {"done", progress.done}, {"total", progress.total}},
                  -1);
}

TerminalProgress::TerminalProgress(ProgressStyle style)
    : style_(style), is_terminal_(isatty(STDERR_FILENO) == 1) {}

void TerminalProgress::show(const Progress& progress) {
  if (style_ == ProgressStyle::kJson) {
    fmt::print(stderr, "{}\n", progressJson(progress));
    std::fflush(stderr);
  }
  if (!is_terminal_ || style_ != ProgressStyle::kTerminal) {
    return;
  }
  const auto now = std::chrono::steady_clock::now();
  if (progress.stage != stage_) {
    stage_ = progress.stage;
    stage_began_ = now;
    done_before_ = progress.done;
  }
  fmt::print(stderr, "\r\033[K{}",
             progressLine(progress, std::chrono::duration<double>(now - stage_began_).count(),
                          done_before_));
  std::fflush(stderr);
  shown_ = true;
}

void TerminalProgress::clear() {
  if (shown_) {
    fmt::print(stderr, "\r\033[K");
    shown_ = false;
  }
}

}  // namespace dubito::cli

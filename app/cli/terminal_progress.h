// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "core/base/run_context.h"

namespace dubito::cli {

/// "predict   63 %   41200 items/s   0:07 left" for what has been done in `elapsed_seconds`, in
/// which `done_before` was there already.
[[nodiscard]] std::string progressLine(const Progress& progress, double elapsed_seconds,
                                       std::int64_t done_before = 0);

/// {"stage":"predict","done":500,"total":2000}: for programs that start this one.
[[nodiscard]] std::string progressJson(const Progress& progress);

/// How progress is told.
enum class ProgressStyle {
  kTerminal,  ///< a line for people where stderr is a terminal
  kJson,      ///< progressJson, one line after the other
  kNone,
};

/// One line on stderr that is overwritten as work goes on; nothing at all where stderr is no
/// terminal, unless another style is chosen.
class TerminalProgress {
 public:
  explicit TerminalProgress(ProgressStyle style = ProgressStyle::kTerminal);
  void show(const Progress& progress);
  /// Removes the line.
  void clear();

 private:
  ProgressStyle style_ = ProgressStyle::kTerminal;
  bool is_terminal_ = false;
  bool shown_ = false;
  std::string stage_;
  std::chrono::steady_clock::time_point stage_began_{};
  std::int64_t done_before_ = 0;
};

}  // namespace dubito::cli

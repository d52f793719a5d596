// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "core/base/run_context.h"

namespace dubito::cli {

/// "predict   63 %   41200 items/s   0:07 left". The rate counts only items completed within
/// `elapsed_seconds`, not the `done_before` items completed earlier.
[[nodiscard]] std::string progressLine(const Progress& progress, double elapsed_seconds,
                                       std::int64_t done_before = 0);

/// {"stage":"predict","done":500,"total":2000}, for programs that run dubito-cli.
[[nodiscard]] std::string progressJson(const Progress& progress);

/// How progress is reported.
enum class ProgressStyle {
  kTerminal,  ///< human-readable line if stderr is a terminal
  kJson,      ///< one progressJson line per step
  kNone,
};

/// Shows progress on stderr: by default one line that is overwritten, or nothing if stderr is not a
/// terminal.
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

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/jobs/child_reaper.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"

namespace dubito {

/// A program to run as a child process.
struct ChildCommand {
  std::vector<std::string> arguments;  ///< path of the program first
  std::string name;                    ///< display name; stages are shown as "NAME: STAGE"
  std::string main_stage;              ///< the stage shown as NAME only
  /// Released once the child is certainly gone, on whatever thread detects that: the folder the
  /// child writes to.
  std::shared_ptr<const void> kept = nullptr;
};

/// Runs a program to completion and forwards its progress: lines {"stage": ..., "done": ...,
/// "total": ...} on its standard error. All other lines are messages; the last ones are kept.
/// Cancelling sends SIGTERM, returns at once and leaves the rest to `reaper` (SIGKILL after two
/// seconds); stopping early sends SIGUSR1. The child dies with the thread that started it, and the
/// kernel's OOM killer picks it first. Errors: the child's last message (after "NAME: "), the
/// signal that killed it, failure to start it, kCancelled.
[[nodiscard]] Status runChild(const ChildCommand& command, ChildReaper& reaper,
                              RunContext& context);

/// Progress contained in a line; nullopt if the line is something else.
[[nodiscard]] std::optional<Progress> parseProgress(const std::string& line);

}  // namespace dubito

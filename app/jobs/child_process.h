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
  /// Keeps the child's output folder alive; released, on any thread, once the child has exited.
  std::shared_ptr<const void> output_folder = nullptr;
};

/// Runs a program to completion and forwards its progress: lines {"stage": ..., "done": ...,
/// "total": ...} on its standard error. All other lines are messages; an error is the last of them,
/// or complete if there is a line of errorToJson(). On cancellation, sends SIGTERM and returns at
/// once; `reaper` sends SIGKILL after two seconds. On an early stop, sends SIGUSR1. The child is
/// killed if the thread that started it ends, and it is the preferred victim of the kernel's OOM
/// killer. Errors: the child's last message (after "NAME: "), the signal that killed it, failure to
/// start it, kCancelled.
[[nodiscard]] Status runChild(const ChildCommand& command, ChildReaper& reaper,
                              RunContext& context);

/// Progress contained in a line; nullopt if the line contains no progress.
[[nodiscard]] std::optional<Progress> parseProgress(const std::string& line);

}  // namespace dubito

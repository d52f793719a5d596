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

/// A program to be run as a child.
struct ChildCommand {
  std::vector<std::string> arguments;  ///< the program's path first
  std::string name;                    ///< of what it does; its stages are called "NAME: STAGE"
  std::string main_stage;              ///< the one that is called NAME alone
  /// Let go when the child is gone for certain, on whatever thread finds that out: the folder that
  /// it writes into.
  std::shared_ptr<const void> kept = nullptr;
};

/// Runs a program to its end and passes its progress on: the lines {"stage": ..., "done": ...,
/// "total": ...} on its standard error; all other lines are its words, of which the last ones are
/// kept. Cancelling asks the child to end (SIGTERM), returns at once and leaves the rest to
/// `reaper` (SIGKILL after two seconds); stopping early passes on SIGUSR1. The child ends with the
/// thread that started it, and is the first that the kernel takes where memory runs out. Errors:
/// what the child said last where it failed (its words after "NAME: "); which signal killed it;
/// that it cannot be started; kCancelled.
[[nodiscard]] Status runChild(const ChildCommand& command, ChildReaper& reaper,
                              RunContext& context);

/// The progress that a line tells; nothing where it is something else.
[[nodiscard]] std::optional<Progress> progressOfLine(const std::string& line);

}  // namespace dubito

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>
#include <string>

#include "app/jobs/child_reaper.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/models/model.h"

namespace dubito {

/// How files with networks are opened. A file that has not been opened here before is first opened
/// and run by a confined process, which can neither read nor write anything else (--confined of
/// dubito-cli): whatever it does or breaks happens there.
struct ModelOpening {
  std::string program = {};          ///< path of dubito-cli; empty: all files are trusted
  ChildReaper* reaper = nullptr;     ///< of that process; outlives the opening
  std::set<std::string> known = {};  ///< modelKey() of files that have been opened before
  bool shares_torch = false;         ///< LoadModelOptions::shares_torch
};

/// Identifies a file as it is now: its path, size and time of change; empty if it cannot be read.
[[nodiscard]] std::string modelKey(const std::string& path);

/// Opens a network as loadModel() does, after a confined process has done so if the file is not
/// known. Errors: those of loadModel, and of the process.
[[nodiscard]] Expected<ModelPtr> openModel(const std::string& path, const ModelOpening& opening,
                                           RunContext& context);

}  // namespace dubito

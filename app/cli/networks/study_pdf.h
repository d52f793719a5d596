// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <string>

#include "core/base/expected.h"
#include "core/base/run_context.h"

namespace dubito::cli {

/// Path of the program of the window, which makes PDFs, next to this one; it may not exist.
[[nodiscard]] std::string windowProgram();

/// Runs `program --study-report FOLDER` without a screen, as a child process that is no part of
/// MPI, and ends it after `limit`. The error is one line that says why there is no
/// FOLDER/report.pdf; kCancelled.
[[nodiscard]] Status makeStudyPdf(const std::string& program, const std::string& folder,
                                  std::chrono::milliseconds limit, const RunContext& context);

}  // namespace dubito::cli

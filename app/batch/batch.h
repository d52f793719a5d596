// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QString>

#include "app/batch/batch_window.h"

namespace dubito {

/// Fills a window and writes its report to `folder`; returns the exit status.
[[nodiscard]] int runReport(const BatchInput& input, const QString& folder);

/// Writes report.pdf of the study in `folder`; returns the exit status.
[[nodiscard]] int runStudyReport(const QString& folder);

/// Writes a picture of every figure of the literature that a laboratory repeats to `folder`, for a
/// window of `size`.
[[nodiscard]] int runFigures(const QString& folder, const QSize& size);

}  // namespace dubito

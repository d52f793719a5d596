// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QString>

#include "app/batch/batch_window.h"

namespace dubito {

/// Writes pictures of every page to `folder`, light and dark, at single and double resolution, for
/// a window of `size`.
[[nodiscard]] int runScreenshots(const BatchInput& input, const QString& folder, const QSize& size);

}  // namespace dubito

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <utility>
#include <vector>

#include "core/analysis/analysis.h"

namespace dubito {

/// Names and values of the method options of a run: first the options of the method's form, with
/// labels and units, then other values, such as fitted ones.
[[nodiscard]] std::vector<std::pair<QString, QString>> methodSettings(const RunMeta& meta);

/// Warnings about a run: notes, an early stop, skipped items. Each is prefixed with the name of the
/// dataset it concerns, unless it applies to all.
[[nodiscard]] QStringList runWarnings(const Analysis& analysis);

}  // namespace dubito

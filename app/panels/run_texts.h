// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <utility>
#include <vector>

#include "core/analysis/analysis.h"

namespace dubito {

/// Names and values of the options of a run's method: first those of its form, as labelled there
/// and with their units, then those that no form has, such as fitted values.
[[nodiscard]] std::vector<std::pair<QString, QString>> methodSettings(const RunMeta& meta);

/// What a reader of the run's numbers must know: notes, an early stop, skipped items. With the name
/// of the part it is about, unless all parts say the same.
[[nodiscard]] QStringList runWarnings(const Analysis& analysis);

}  // namespace dubito

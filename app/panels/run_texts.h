// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <utility>
#include <vector>

#include "core/analysis/analysis.h"

namespace dubito {

/// Names and values of the options of a run's method: first those of its form, with labels and
/// units, then values that no form has, such as fitted ones.
[[nodiscard]] std::vector<std::pair<QString, QString>> methodSettings(const RunMeta& meta);

/// Caveats about a run: notes, an early stop, skipped items. Prefixed with the name of the part
/// unless they apply to all parts.
[[nodiscard]] QStringList runWarnings(const Analysis& analysis);

}  // namespace dubito

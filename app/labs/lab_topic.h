// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/labs/catalogue/laboratories.h"

namespace dubito {

/// The help topic (setHelpTopic()) of a laboratory.
[[nodiscard]] QString laboratoryTopic(const LaboratoryInfo& laboratory);
/// The laboratory with that topic; null if it is the topic of something else.
[[nodiscard]] const LaboratoryInfo* laboratoryOfTopic(const QString& topic);

}  // namespace dubito

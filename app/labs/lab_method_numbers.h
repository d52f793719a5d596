// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include "core/labs/methods/lab_method.h"

namespace dubito {

/// The numbers by which a fit is judged, most important first: "evidence −12.3 nats", "ELBO −80.1
/// nats", "R-hat 1.002", "ESS 850", "acceptance 83 %", "0 divergences", or the loss if there is
/// nothing better. Empty: the method has none yet.
[[nodiscard]] QStringList methodNumbers(const LabDiagnostics& diagnostics);

}  // namespace dubito

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace dubito {

/// A formula in ASCII, as the command line prints it, with the symbols of a book: "s^2" as "s²",
/// "Phi^T" as "Φᵀ", "q <- q + eps" as "q ← q + ε".
[[nodiscard]] QString inSymbols(const QString& formula);

}  // namespace dubito

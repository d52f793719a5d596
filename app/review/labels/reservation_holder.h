// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>

namespace dubito {

/// How a window signs the images that it reserves: person@machine:process:window.
[[nodiscard]] std::string reservationHolder(const QString& annotator, const void* window);

/// The person in what reservationHolder() returns.
[[nodiscard]] QString personOf(const std::string& holder);

/// Whether the reservations of a holder are left over: they are of this machine, but their process
/// is gone.
[[nodiscard]] bool isLeftOver(const std::string& holder);

}  // namespace dubito

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace dubito {

/// How a network that is trained drops units (theory, section 4).
enum class DropoutKind {
  kNone,
  kFixed,     ///< at a given rate
  kConcrete,  ///< at one learned rate per layer (Gal, Hron and Kendall 2017)
  kMulti,     ///< at one learned rate per input unit or channel (Feng 2019, 2.2.3)
};

/// "none", "fixed", "concrete", "multi".
[[nodiscard]] std::vector<std::string> dropoutKinds();
/// The kind of that name; kNone for any other text.
[[nodiscard]] DropoutKind dropoutKindOf(const std::string& name);
/// Whether the rates are trained with the weights.
[[nodiscard]] bool learnsRates(DropoutKind kind);

}  // namespace dubito

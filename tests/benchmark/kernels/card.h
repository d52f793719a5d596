// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace dubito::benchmarks {

/// The current device: its name and sizes, the rate of a copy within its memory (bytes read plus
/// bytes written) and that of float32 multiply-adds outside the matrix units, both measured.
[[nodiscard]] nlohmann::json describeCard();

}  // namespace dubito::benchmarks

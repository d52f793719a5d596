// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/io/any_array.h"

namespace dubito {

/// The values of `array` as class numbers, -1 if unknown. Fails with kMalformed for values that are
/// not integers or are below -1; the message begins with `name`.
[[nodiscard]] Expected<std::vector<std::int64_t>> labelsFromArray(const AnyArray& array,
                                                                  const std::string& name);

}  // namespace dubito

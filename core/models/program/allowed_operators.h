// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace dubito {

/// Whether the program of a network file may contain an operator, "aten::relu": only operators on
/// the network's own tensors, numbers, text and containers, control flow, and our keyed randomness
/// may. Whatever is not listed is refused, so that a new operator of torch is refused until
/// somebody has looked at it. All file formats use this list.
[[nodiscard]] bool isAllowedOperator(std::string_view name);

/// Whether the program may contain objects of a class written in C++; `name` is what follows
/// "torch.classes.", "quantized.LinearPackedParamsBase".
[[nodiscard]] bool isAllowedCustomClass(std::string_view name);

}  // namespace dubito

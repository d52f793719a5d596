// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <exception>
#include <string>

namespace dubito {

/// Torch's error message in one short line, without the program trace before it and the stack
/// frames after it.
[[nodiscard]] std::string torchReason(const std::exception& exception);

/// Whether CPU or GPU memory ran out. Judged by the message, because the interpreter keeps nothing
/// else of an operator's exception.
[[nodiscard]] bool isOutOfMemory(const std::exception& exception);

}  // namespace dubito

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <exception>
#include <string>

namespace dubito {

/// What torch has to say, in one short line: without the trace of the program that its interpreter
/// puts before the reason and the stack of frames that follows it.
[[nodiscard]] std::string torchReason(const std::exception& exception);

/// Whether memory ran out, of the processor or of a GPU. The interpreter passes on the text alone
/// of what an operator throws.
[[nodiscard]] bool ranOutOfMemory(const std::exception& exception);

}  // namespace dubito

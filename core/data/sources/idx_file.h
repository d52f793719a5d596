// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/any_array.h"

namespace dubito {

/// The elements of an idx file in the shape that its header states: 8-bit unsigned or signed, 16-
/// or 32-bit signed, float or double.
///
/// Raw or gzip-compressed. The header's size is compared with what the file really holds, and no
/// more than one byte beyond it is ever decompressed. Refused, with the file's name: a wrong magic
/// number, other elements, no items, data that is too short or too long, a damaged or cut
/// compressed stream, and (kOutOfMemory) more than the context's memory budget.
[[nodiscard]] Expected<AnyArray> readIdx(const std::string& path, RunContext& context);

}  // namespace dubito

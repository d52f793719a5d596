// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"

namespace dubito {

/// The unsigned bytes of an idx file, in the shape that its header states.
///
/// Raw or gzip-compressed. The header's size is compared with what the file really holds, and no
/// more than one byte beyond it is ever decompressed. Refused, with the file's name: a wrong magic
/// number, elements that are not unsigned bytes, no items, data that is too short or too long, a
/// damaged or cut compressed stream, and (kOutOfMemory) more than the context's memory budget.
[[nodiscard]] Expected<Array<std::uint8_t>> readIdx(const std::string& path, RunContext& context);

}  // namespace dubito

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/any_array.h"

namespace dubito {

/// The elements of an idx file, in the shape given by its header. The element type is unsigned or
/// signed 8-bit, signed 16- or 32-bit, float or double; the file may be gzip-compressed.
///
/// The size in the header is checked against the actual data, and at most one byte beyond it is
/// decompressed. Fails, naming the file, for a wrong magic number, unknown element types, no items,
/// too little or too much data, or a damaged or truncated compressed stream, and with kOutOfMemory
/// if the elements exceed the memory budget of the context.
[[nodiscard]] Expected<AnyArray> readIdx(const std::string& path, RunContext& context);

}  // namespace dubito

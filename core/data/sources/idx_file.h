// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/any_array.h"

namespace dubito {

/// The elements of an idx file in the shape given by its header: 8-bit unsigned or signed, 16- or
/// 32-bit signed, float or double.
///
/// Raw or gzip-compressed. The header's size is checked against the actual data, and at most one
/// byte beyond it is decompressed. Errors, with the file name: a wrong magic number, unknown
/// element types, no items, too little or too much data, a damaged or truncated compressed stream,
/// and (kOutOfMemory) more than the context's memory budget.
[[nodiscard]] Expected<AnyArray> readIdx(const std::string& path, RunContext& context);

}  // namespace dubito

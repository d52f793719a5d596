// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <utility>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/any_array.h"
#include "core/io/npz_writer.h"
#include "core/io/run.h"

namespace dubito {

/// The arrays that a run has, by key, in the order of the file.
[[nodiscard]] std::vector<std::pair<const char*, AnyArray>> arraysOf(const Run& run);

/// Writes the arrays of `run` and `meta` to `writer`. Throws std::invalid_argument for a run whose
/// arrays have inconsistent shapes.
[[nodiscard]] Status writeArrays(const Run& run, const nlohmann::json& meta, NpzWriter& writer);

/// Reports progress towards `total_bytes` of elements as the stage "writing"; a cancel stops it.
[[nodiscard]] std::function<Status(std::uint64_t)> writingProgress(std::int64_t total_bytes,
                                                                   RunContext& context);

/// A JSON object as the text stored in a run file.
[[nodiscard]] std::string metaText(const nlohmann::json& meta);

}  // namespace dubito

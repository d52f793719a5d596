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

/// The arrays present in a run, with their keys, in the order of the run file.
[[nodiscard]] std::vector<std::pair<const char*, AnyArray>> arraysOf(const Run& run);

/// Bytes of the elements of `arrays`, with their keys.
[[nodiscard]] std::int64_t bytesOf(const std::vector<std::pair<const char*, AnyArray>>& arrays);

/// Writes the arrays of `run` and `meta` to `writer` and commits it. Throws std::invalid_argument
/// for a run whose arrays have inconsistent shapes.
[[nodiscard]] Status writeArrays(const Run& run, const nlohmann::json& meta, NpzWriter& writer);

/// Returns a callback for NpzWriterOptions::on_chunk that reports progress towards `total_bytes` as
/// the stage "writing", and returns kCancelled if the context is cancelled.
[[nodiscard]] std::function<Status(std::uint64_t)> writingProgress(std::int64_t total_bytes,
                                                                   RunContext& context);

/// Converts `meta`, a JSON object, to the text stored in a run file.
[[nodiscard]] std::string metaText(const nlohmann::json& meta);

}  // namespace dubito

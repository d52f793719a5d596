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

/// The arrays of a run that are there, by key, in the order of the file.
[[nodiscard]] std::vector<std::pair<const char*, AnyArray>> arraysOf(const Run& run);

/// Writes the arrays of `run` and `meta` as the archive that `writer` began. Throws
/// std::invalid_argument for a run whose arrays do not fit together.
[[nodiscard]] Status writeArrays(const Run& run, const nlohmann::json& meta, NpzWriter& writer);

/// Reports `total_bytes` of elements on their way as the stage "writing"; a cancel ends it.
[[nodiscard]] std::function<Status(std::uint64_t)> writingProgress(std::int64_t total_bytes,
                                                                   RunContext& context);

/// A JSON object as the text that stands in a run file.
[[nodiscard]] std::string metaText(const nlohmann::json& meta);

}  // namespace dubito

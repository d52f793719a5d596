// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/npz_file.h"
#include "core/io/npz_writer.h"
#include "core/io/run.h"

namespace dubito {

/// The arrays present in a run, in the order of the run file.
[[nodiscard]] std::vector<NamedArray> arraysOf(const Run& run);

/// Bytes of the elements of `arrays`.
[[nodiscard]] std::int64_t bytesOf(const std::vector<NamedArray>& arrays);

/// Adds to `meta`, the JSON of a run's metadata, the axes of the array `key` unless the schema has
/// them.
void stateAxes(const std::string& key, const RunAxes& axes, nlohmann::json& meta);

/// The arrays of a run file that are not in the schema, with the axes that `meta` states if they
/// fit, else those that the shapes suggest for `items` items. What cannot be kept is said in
/// `notes`.
[[nodiscard]] std::vector<NamedArray> readOthers(const NpzFile& npz, const nlohmann::json& meta,
                                                 std::int64_t items, std::vector<Note>& notes);

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

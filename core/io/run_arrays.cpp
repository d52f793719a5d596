// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/run_arrays.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/base/json_text.h"
#include "core/io/run_check.h"
#include "core/io/run_schema.h"

namespace dubito {

std::vector<std::pair<const char*, AnyArray>> arraysOf(const Run& run) {
  std::vector<std::pair<const char*, AnyArray>> arrays;
  forEachArrayOf(run, [&arrays](const RunArrayInfo& info, const auto& values) {
    arrays.emplace_back(info.key, values);
  });
  return arrays;
}

std::int64_t bytesOf(const std::vector<std::pair<const char*, AnyArray>>& arrays) {
  std::int64_t bytes = 0;
  for (const auto& [key, array] : arrays) {
    bytes += std::visit(
        [](const auto& a) { return static_cast<std::int64_t>(a.values().size_bytes()); }, array);
  }
  return bytes;
}

Status writeArrays(const Run& run, const nlohmann::json& meta, NpzWriter& writer) {
  if (const auto conflict = shapeConflict(run)) {
    throw std::invalid_argument("writeRun: " + *conflict);
  }
  for (const auto& [key, array] : arraysOf(run)) {
    if (Status added = writer.add(key, array); !added) {
      return added;
    }
  }
  if (Status added = writer.addText("meta", metaText(meta)); !added) {
    return added;
  }
  return writer.commit();
}

std::function<Status(std::uint64_t)> writingProgress(std::int64_t total_bytes,
                                                     RunContext& context) {
  return [total_bytes, &context](std::uint64_t bytes) {
    const auto done = std::min(static_cast<std::int64_t>(bytes), total_bytes);
    return context.step("writing", done, total_bytes) == Step::kCancel ? Status(cancelled())
                                                                       : Status();
  };
}

std::string metaText(const nlohmann::json& meta) {
  return jsonText(meta, -1);
}

}  // namespace dubito

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dubito {

/// What a network was trained for: what the truth about an item is, and what a network says.
struct Task {
  const char* key;     ///< in run files and metadata: "classification"
  const char* target;  ///< the truth about an item, in one line
  const char* output;  ///< what a network says about an item, in one line
  /// Key of the task that this one is a kind of, whose arrays, measures and metrics it has as well;
  /// null: none.
  const char* kind_of = nullptr;
};

inline constexpr const char* kClassification = "classification";

/// All tasks that networks and runs can have.
[[nodiscard]] const std::vector<Task>& tasks();

/// Whether there is a task `key`.
[[nodiscard]] bool isTask(std::string_view key);

/// Whether `key` is the task `of` or a kind of it: what belongs to `of` then belongs to `key`.
[[nodiscard]] bool isTaskOf(std::string_view key, std::string_view of);

/// The keys of all tasks, for messages: "'classification'".
[[nodiscard]] std::string taskKeys();

}  // namespace dubito

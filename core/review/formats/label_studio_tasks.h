// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/base/expected.h"

namespace dubito {

// The tasks of Label Studio: an image in `data`, answers in `annotations` and `predictions`, each
// with a list of results.

/// In the data of a task: the id of the item.
inline constexpr const char* kStudioId = "dubito_id";

/// The names in a labelling interface with choices for an image.
struct StudioNames {
  std::string control = "choice";
  std::string object = "image";
  std::string image_key = "image";  ///< of the image in the data of a task
};

/// The tasks of a file; one task alone is a list of one. Errors of readJsonFile(); kMalformed.
[[nodiscard]] Expected<nlohmann::json> readStudioTasks(const std::string& path);

/// The control ("from_name") whose choices are the labels: `wanted`, or the only one. In a JSON-MIN
/// export a member of its entries; "" if there is none. kInvalidArgument lists them if there are
/// several.
[[nodiscard]] Expected<std::string> studioControl(const nlohmann::json& tasks,
                                                  const std::string& wanted,
                                                  const std::string& path);
/// The names that the tasks use for the choices of `control`; those of our own interface if there
/// are no choices.
[[nodiscard]] StudioNames studioInterfaceOf(const nlohmann::json& tasks,
                                            const std::string& control);

/// The number of results of a task that are about parts of its image.
[[nodiscard]] std::int64_t studioShapes(const nlohmann::json& task);

/// The path of the image that `data` names under a usual key; "" if there is none.
[[nodiscard]] std::string usualStudioImage(const nlohmann::json& data);
/// The path of the image of a task: usualStudioImage(), else the first text.
[[nodiscard]] std::string studioImage(const nlohmann::json& data);

}  // namespace dubito

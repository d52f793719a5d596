// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/base/expected.h"
#include "core/train/drop_rate_trace.h"

namespace dubito {

/// Writes the course to training["drop_rates"] of a network's metadata, unless it is empty.
void addDropRateCourse(const DropRateCourse& course, nlohmann::json& training);

/// How the drop rates of the network in a TorchScript file were learned, from its metadata; the
/// weights are not read. Empty if the metadata has no course. kNotFound, or kMalformed if the file
/// is no archive or its course is damaged.
[[nodiscard]] Expected<DropRateCourse> readDropRateCourse(const std::string& model_path);

}  // namespace dubito

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace dubito {

/// The names of the numbers of a Hugging Face ClassLabel, from dataset_info.json,
/// dataset_infos.json or the head of README.md in `folder`. Empty if there are none, or the names
/// are not unique.
[[nodiscard]] std::vector<std::string> classLabelNames(const std::string& folder);

}  // namespace dubito

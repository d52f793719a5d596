// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

#include "core/data/sources/dataset_kinds.h"

namespace dubito::cli {

/// Syntax of the dataset specifications of all kinds, for --help.
[[nodiscard]] inline std::string datasetHelp() {
  return fmt::format("{}, with ?items=a:b&classes=0,1&role=test|ood|...",
                     fmt::join(datasetForms(), " | "));
}

}  // namespace dubito::cli

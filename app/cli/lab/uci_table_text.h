// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/labs/uci/uci_table.h"

namespace dubito::cli {

/// The table as text: per set, our rows and the published ones.
[[nodiscard]] std::string uciTableText(const std::vector<UciSetRows>& table);

}  // namespace dubito::cli

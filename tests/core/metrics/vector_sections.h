// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/array.h"

namespace dubito::test {

/// One set of predictions of evaluation2.json with its expected metrics.
struct VectorSection {
  std::string name;
  std::vector<double> confidence;
  std::vector<std::uint8_t> correct;
  nlohmann::json expected;
};

/// Every set of evaluation2.json that holds confidences and outcomes (or probabilities and labels).
[[nodiscard]] std::vector<VectorSection> vectorSections();

/// The number at the end of a key: 15 for "equal_mass_15". Throws where there is none.
[[nodiscard]] std::int64_t trailingNumber(const std::string& key);

/// Outcomes: prediction equals label.
[[nodiscard]] std::vector<std::uint8_t> outcomes(const std::vector<std::int64_t>& predictions,
                                                 const std::vector<std::int64_t>& labels);

/// A table [N, K] from rows of numbers.
template <class T>
[[nodiscard]] Array<T> tableOf(const nlohmann::json& rows) {
  std::vector<T> flat;
  for (const nlohmann::json& row : rows) {
    for (const nlohmann::json& value : row) {
      flat.push_back(static_cast<T>(value.get<double>()));
    }
  }
  return Array<T>::fromVector(
      {static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(rows.at(0).size())},
      std::move(flat));
}

/// Values of a list, NaN for null.
[[nodiscard]] std::vector<double> numbersOrNan(const nlohmann::json& list);

}  // namespace dubito::test

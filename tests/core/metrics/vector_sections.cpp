// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/metrics/vector_sections.h"

#include <limits>
#include <stdexcept>

#include "core/measures/measures.h"
#include "tests/support/shared_data.h"

namespace dubito::test {

std::vector<VectorSection> vectorSections() {
  const nlohmann::json vectors = readVectors("evaluation2");
  std::vector<VectorSection> sections;
  for (const auto& [name, section] : vectors.items()) {
    if (!section.is_object() || !section.contains("confidence")) {
      continue;
    }
    VectorSection entry{name, section.at("confidence").get<std::vector<double>>(), {}, section};
    if (section.contains("correct")) {
      for (const bool correct : section.at("correct").get<std::vector<bool>>()) {
        entry.correct.push_back(correct ? 1 : 0);
      }
    } else {
      entry.correct = outcomes(section.at("prediction").get<std::vector<std::int64_t>>(),
                               section.at("labels").get<std::vector<std::int64_t>>());
    }
    sections.push_back(std::move(entry));
  }
  if (sections.empty()) {
    throw std::runtime_error("evaluation2.json holds no predictions");
  }
  return sections;
}

std::int64_t trailingNumber(const std::string& key) {
  return std::stoll(key.substr(key.find_last_not_of("0123456789") + 1));
}

std::vector<std::uint8_t> outcomes(const std::vector<std::int64_t>& predictions,
                                   const std::vector<std::int64_t>& labels) {
  std::vector<std::uint8_t> correct(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    correct[i] = predictions.at(i) == labels[i] ? 1 : 0;
  }
  return correct;
}

std::vector<double> numbersOrNan(const nlohmann::json& list) {
  std::vector<double> values;
  for (const nlohmann::json& value : list) {
    values.push_back(value.is_null() ? std::numeric_limits<double>::quiet_NaN()
                                     : value.get<double>());
  }
  return values;
}

}  // namespace dubito::test

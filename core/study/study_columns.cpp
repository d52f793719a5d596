// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <stdexcept>

#include "core/study/study_results.h"

namespace dubito {
namespace {

using nlohmann::json;

std::optional<double> numberAt(const json& object, const std::vector<std::string>& keys) {
  const json* value = &object;
  for (const std::string& key : keys) {
    const auto found = value->find(key);
    if (found == value->end()) {
      return std::nullopt;
    }
    value = &*found;
  }
  return value->is_number() ? std::optional(value->get<double>()) : std::nullopt;
}

std::optional<double> misclassified(const json& evaluation, const StudySpec& spec,
                                    const char* metric) {
  return numberAt(evaluation, {"misclassified", spec.score_misclassified, metric});
}

/// Mean over the OOD sets; nullopt unless all have a value.
std::optional<double> againstOod(const json& evaluation, const StudySpec& spec,
                                 const char* metric) {
  double sum = 0.0;
  for (const StudySet& set : spec.ood) {
    const auto value =
        numberAt(evaluation, {"ood", set.name, "correct_vs_ood", spec.score_ood, metric});
    if (!value) {
      return std::nullopt;
    }
    sum += *value;
  }
  return spec.ood.empty() ? std::nullopt
                          : std::optional(sum / static_cast<double>(spec.ood.size()));
}

/// A single OOD set has no entry "all".
std::optional<double> withOod(const json& evaluation, const StudySpec& spec, const char* metric) {
  const auto all = numberAt(evaluation, {"with_ood", "all", metric});
  return all || spec.ood.size() != 1
             ? all
             : numberAt(evaluation, {"with_ood", spec.ood.front().name, metric});
}

}  // namespace

const std::vector<StudyColumn>& studyColumns() {
  static const std::vector<StudyColumn> columns{
      {"accuracy", "accuracy", "accuracy", true,
       [](const json& e, const StudySpec&) { return numberAt(e, {"accuracy"}); }},
      {"brier", "Brier", "Brier", false,
       [](const json& e, const StudySpec&) { return numberAt(e, {"brier"}); }},
      {"nll", "NLL", "NLL", false,
       [](const json& e, const StudySpec&) { return numberAt(e, {"nll"}); }},
      {"ece", "ECE", "ECE", false,
       [](const json& e, const StudySpec&) { return numberAt(e, {"ece"}); }},
      {"ece_with_ood", "ECE with OOD", "ECE w.\\ OOD", false,
       [](const json& e, const StudySpec& s) { return withOod(e, s, "ece"); }},
      {"mce", "MCE", "MCE", false,
       [](const json& e, const StudySpec&) { return numberAt(e, {"mce"}); }},
      {"mce_with_ood", "MCE with OOD", "MCE w.\\ OOD", false,
       [](const json& e, const StudySpec& s) { return withOod(e, s, "mce"); }},
      {"auroc_misclassified", "AUROC vs misclassified", "AUROC miscl.", true,
       [](const json& e, const StudySpec& s) { return misclassified(e, s, "auroc"); }},
      {"auroc_ood", "AUROC vs OOD", "AUROC OOD", true,
       [](const json& e, const StudySpec& s) { return againstOod(e, s, "auroc"); }},
      {"aupr_misclassified", "AUPR vs misclassified", "AUPR miscl.", true,
       [](const json& e, const StudySpec& s) { return misclassified(e, s, "aupr"); }},
      {"aupr_ood", "AUPR vs OOD", "AUPR OOD", true,
       [](const json& e, const StudySpec& s) { return againstOod(e, s, "aupr"); }},
  };
  return columns;
}

std::size_t studyColumnIndex(std::string_view key) {
  const auto found = std::ranges::find_if(
      studyColumns(), [key](const StudyColumn& column) { return column.key == key; });
  if (found == studyColumns().end()) {
    throw std::out_of_range("studyColumnIndex: there is no such column");
  }
  return static_cast<std::size_t>(found - studyColumns().begin());
}

}  // namespace dubito

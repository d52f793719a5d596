// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/study_values.h"

#include <fmt/format.h>

#include <limits>

#include "core/base/in_quotes.h"

namespace dubito {
namespace {

using nlohmann::json;

/// A number; NaN for null, which is how JSON has infinite ones.
double numberOf(const JsonNode& node) {
  return node.value().is_null() ? std::numeric_limits<double>::quiet_NaN() : node.number();
}

LabellingRule ruleOf(const JsonNode& node) {
  const std::string key = node.text();
  for (int rule = 0; rule < kLabellingRules; ++rule) {
    if (key == keyOf(static_cast<LabellingRule>(rule))) {
      return static_cast<LabellingRule>(rule);
    }
  }
  failDamaged(node, fmt::format("{} is no rule of automatic labelling", inQuotes(key)));
}

}  // namespace

std::vector<Setting> studyRemedySettings() {
  return {setting("resume")};
}

void failDamaged(const JsonNode& node, const std::string& reason) {
  node.fail(fmt::format("{}; {}", reason, kStudyRemedy), studyRemedySettings());
}

JsonNode studyMember(const JsonNode& object, const char* key) {
  const auto member = object.find(key);
  if (!member) {
    failDamaged(object, fmt::format("has no \"{}\"", key));
  }
  return *member;
}

json statisticsJson(const SeedStatistics& value) {
  json object{{"n", value.n}};
  if (value.n > 0) {
    object["mean"] = value.mean;
  }
  if (value.n > 1) {
    object["std_dev"] = value.std_dev;
  }
  return object;
}

SeedStatistics statisticsOf(const JsonNode& node) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const std::int64_t n =
      studyMember(node, "n").wholeNumber(0, std::numeric_limits<std::int32_t>::max());
  return {.n = n,
          .mean = n > 0 ? numberOf(studyMember(node, "mean")) : kNan,
          .std_dev = n > 1 ? numberOf(studyMember(node, "std_dev")) : kNan};
}

json differencesJson(const std::vector<BootstrappedMean>& differences) {
  json object = json::object();
  for (std::size_t i = 0; i < differences.size(); ++i) {
    const BootstrappedMean& one = differences[i];
    object[kStudyDifferences.at(i)] = {{"difference", one.mean},
                                       {"low", one.interval.low},
                                       {"high", one.interval.high},
                                       {"p", one.p}};
  }
  return object;
}

std::vector<BootstrappedMean> differencesOf(const JsonNode& node) {
  std::vector<BootstrappedMean> differences;
  if (node.value().is_object() && node.value().empty()) {
    return differences;
  }
  for (const char* const metric : kStudyDifferences) {
    const JsonNode one = studyMember(node, metric);
    differences.push_back(
        {.mean = studyMember(one, "difference").number(),
         .interval = {studyMember(one, "low").number(), studyMember(one, "high").number()},
         .p = studyMember(one, "p").number()});
  }
  return differences;
}

json labellingJson(const std::vector<StudyLabelling>& labelling) {
  json array = json::array();
  for (const StudyLabelling& one : labelling) {
    array.push_back({{"rule", keyOf(one.rule)},
                     {"promised", one.guaranteed},
                     {"share", statisticsJson(one.share)},
                     {"kept", statisticsJson(one.kept)},
                     {"effective_items", one.effective_items}});
  }
  return array;
}

std::vector<StudyLabelling> labellingOf(const JsonNode& node) {
  std::vector<StudyLabelling> labelling;
  for (const JsonNode& one : node.list()) {
    labelling.push_back({.rule = ruleOf(studyMember(one, "rule")),
                         .guaranteed = studyMember(one, "promised").number(),
                         .share = statisticsOf(studyMember(one, "share")),
                         .kept = statisticsOf(studyMember(one, "kept")),
                         .effective_items = studyMember(one, "effective_items").number()});
  }
  return labelling;
}

json retrainingJson(const std::vector<StudyRetraining>& retraining) {
  json array = json::array();
  for (const StudyRetraining& one : retraining) {
    json entry{{"rule", keyOf(one.rule)}, {"promised", one.guaranteed}};
    for (const RetrainingValue& value : kRetrainingValues) {
      entry[value.key] = statisticsJson(one.*value.value);
    }
    array.push_back(std::move(entry));
  }
  return array;
}

std::vector<StudyRetraining> retrainingOf(const JsonNode& node) {
  std::vector<StudyRetraining> retraining;
  for (const JsonNode& one : node.list()) {
    StudyRetraining entry{.rule = ruleOf(studyMember(one, "rule")),
                          .guaranteed = studyMember(one, "promised").number()};
    for (const RetrainingValue& value : kRetrainingValues) {
      entry.*value.value = statisticsOf(studyMember(one, value.key));
    }
    retraining.push_back(entry);
  }
  return retraining;
}

}  // namespace dubito

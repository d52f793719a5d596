// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/study/json_source.h"
#include "core/study/study_files.h"
#include "core/study/study_results.h"

namespace dubito {

/// A number of StudyRetraining in files and tables.
struct RetrainingValue {
  const char* key;
  SeedStatistics StudyRetraining::*value;
};
inline constexpr std::array<RetrainingValue, 5> kRetrainingValues{
    {{"labels", &StudyRetraining::labels},
     {"before", &StudyRetraining::before},
     {"automatic", &StudyRetraining::automatic},
     {"random", &StudyRetraining::random},
     {"uncertain", &StudyRetraining::uncertain}}};

/// End of messages about a damaged table.json, and what it speaks of.
inline constexpr const char* kStudyRemedy = "resume the study to write the folder again";
[[nodiscard]] std::vector<Setting> studyRemedySettings();
/// Throws JsonFault: "PLACE: REASON; ", followed by kStudyRemedy.
[[noreturn]] void failDamaged(const JsonNode& node, const std::string& reason);
/// A member of an object of table.json; throws JsonFault if it is absent.
[[nodiscard]] JsonNode studyMember(const JsonNode& object, const char* key);

/// Values of a cell in table.json, see docs/formats.md. The readers throw JsonFault.
[[nodiscard]] nlohmann::json statisticsJson(const SeedStatistics& value);
[[nodiscard]] SeedStatistics statisticsOf(const JsonNode& node);
[[nodiscard]] nlohmann::json differencesJson(const std::vector<BootstrappedMean>& differences);
[[nodiscard]] std::vector<BootstrappedMean> differencesOf(const JsonNode& node);
[[nodiscard]] nlohmann::json labellingJson(const std::vector<StudyLabelling>& labelling);
[[nodiscard]] std::vector<StudyLabelling> labellingOf(const JsonNode& node);
[[nodiscard]] nlohmann::json retrainingJson(const std::vector<StudyRetraining>& retraining);
[[nodiscard]] std::vector<StudyRetraining> retrainingOf(const JsonNode& node);

}  // namespace dubito

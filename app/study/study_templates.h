// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/study/study_draft.h"
#include "core/data/items/corruption_spec.h"

namespace dubito {

class Session;

/// A base set and a series of corrupted copies.
struct CorruptionSeries {
  std::string name;  ///< of the base set: "digits"
  std::string data;  ///< its specification
  CorruptionKind kind = CorruptionKind::kRotation;
  int last = 5;  ///< severity; the series begins with 0
};
/// The targets of a study for the severities 0, 1, ..., last: "digits" and "digits, rotation 1".
/// `document` has the variables that the specification uses.
[[nodiscard]] std::vector<StudyJson> targetsOf(const CorruptionSeries& series,
                                               const StudyJson& document);

/// `spec` with another option: "corrupt=rotation:3".
[[nodiscard]] std::string withDatasetOption(const std::string& spec, const std::string& option,
                                            const StudyJson& document);

/// A study without data: one network and its plain predictions.
[[nodiscard]] StudyJson emptyStudy();
/// Sample digits that turn: small networks trained on them, in half a minute.
[[nodiscard]] StudyJson sampleStudy(const std::filesystem::path& samples);
/// The open networks on the active dataset and on rotations of it, against the open OOD datasets. A
/// dataset with the role train is the source; without one, the first 40 % of the items are.
[[nodiscard]] StudyJson studyOfSession(const Session& session);

}  // namespace dubito

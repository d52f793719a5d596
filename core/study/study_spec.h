// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/expected.h"
#include "core/methods/method_options.h"
#include "core/methods/predict_options.h"
#include "core/metrics/evaluation.h"
#include "core/study/labelling_options.h"
#include "core/study/retraining_options.h"
#include "core/train/head/head_options.h"
#include "core/train/train.h"

namespace dubito {

class JsonSource;

/// A dataset of a study.
struct StudySet {
  std::string name;
  std::string spec;
  std::string place;  ///< where the study file names it, for messages
  /// Targets with the same shift are drawn as a curve over severity. An unshifted target can begin
  /// the curves of several shifts.
  std::vector<std::string> shifts = {};
  std::optional<double> severity = {};
  /// Labelled items of the same domain as this target; empty: those of the study.
  std::string adaptation = {};
};

/// A new last layer on a network that exists.
struct StudyHead {
  std::string backbone;
  HeadOptions options;
};
/// A network that exists, the same for all seeds.
struct StudyModel {
  std::string path;
};
/// A network of a study and how it is made.
struct StudyNetwork {
  std::string name;
  std::string place;
  std::variant<TrainOptions, StudyHead, StudyModel> how;

  [[nodiscard]] bool isTrained() const { return !std::holds_alternative<StudyModel>(how); }
};

/// Labelled items on which a method is fitted, and among whose results a grid is chosen.
enum class StudyFit { kSource, kAdaptation };
/// Criterion for the choice from a grid.
enum class StudySelect {
  kNll,       ///< lowest negative log likelihood of the labelled items
  kEvidence,  ///< highest Laplace evidence of the training items
};

/// One row of the table: a method on a network.
struct StudyRow {
  std::string network;  ///< name
  std::string method;   ///< name
  std::string place;
  std::size_t network_index = 0;
  MethodOptions options;
  StudyFit fit_on = StudyFit::kSource;
  /// Options and the values that are tried, in all combinations; empty: no grid.
  std::vector<std::pair<std::string, std::vector<nlohmann::json>>> grid;
  StudySelect select = StudySelect::kNll;
  /// Networks whose predictions are averaged: those of the seeds s, s + 1, ...
  std::int64_t members = 1;

  [[nodiscard]] std::string name() const { return network + "/" + method; }
  /// The options of each combination of the grid; the options themselves without one. Only for rows
  /// of readStudy(), which has checked them.
  [[nodiscard]] std::vector<MethodOptions> candidates() const;
};

/// Options of the figures.
struct StudyFigures {
  std::uint64_t seed = 0;
  std::vector<std::string> targets;  ///< names
  std::vector<std::string> rows;     ///< StudyRow::name(); empty: all
};

/// A comparison of methods on data that moves away from the training data.
struct StudySpec {
  std::string text = {};  ///< of the study file
  std::string name;
  StudySet source;
  /// Labelled items of the source domain that no network has seen: a separate set ...
  std::optional<StudySet> validation;
  /// ... or this share of the source.
  double validation_share = 0.0;
  std::optional<StudySet> adaptation;
  std::vector<StudySet> targets;
  std::vector<StudySet> ood;
  std::vector<StudyNetwork> networks;
  std::vector<StudyRow> rows;
  std::vector<std::uint64_t> seeds;
  EvaluationOptions evaluation = {};
  PredictOptions predict = {};
  /// Keys of the measures by which misclassified and OOD items are ranked in the table.
  std::string score_misclassified = "confidence";
  std::string score_ood = "confidence";
  std::string baseline;            ///< StudyRow::name()
  std::int64_t replicates = 2000;  ///< of the bootstrap of differences
  std::optional<LabellingOptions> labelling;
  std::optional<RetrainingOptions> retraining;
  StudyFigures figures;

  [[nodiscard]] const StudyRow& row(const std::string& full_name) const;
};

/// Reads a study file (docs/user-guide/study.md). ${NAME} in dataset specifications and paths of
/// models stands for an entry of "variables" or of the environment; ${NAME:-TEXT} has a default.
/// kNotFound, or kMalformed with one message that names file, line and value; no dataset or model
/// is opened.
[[nodiscard]] Expected<StudySpec> readStudy(const std::string& path);
/// Of a text that is not in a file.
[[nodiscard]] Expected<StudySpec> parseStudy(std::string_view text, const std::string& name);

}  // namespace dubito

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/nan.h"
#include "core/base/run_context.h"
#include "core/data/items/dataset.h"
#include "core/data/items/item_positions.h"
#include "core/io/run.h"
#include "core/metrics/evaluation.h"
#include "core/metrics/measure.h"
#include "core/models/model.h"
#include "core/predict/predict.h"
#include "core/review/reviewed_labels.h"

namespace dubito {

/// A run and its dataset.
struct AnalysisPart {
  std::string name;  ///< display name of the dataset
  std::shared_ptr<const Run> run;
  DatasetPtr dataset;  ///< null if the items themselves are not available
  /// [N] position in `dataset` of each row of `run`, -1 if it lacks the item; empty without a
  /// dataset.
  ItemPositions dataset_index;
  /// [N, 2] the inputs of each row if they are points in the plane, NaN for missing items; empty
  /// for other inputs.
  Array<double> positions;
  /// [N] rows in ascending order of their ids; empty if the ids are already ascending.
  std::vector<std::int64_t> rows_by_id;
  std::uint64_t items_hash = 0;  ///< itemsHash of the run
  bool labelled = false;         ///< whether at least one item has a label
  /// By Measure: [N], or empty if not available for this run; those after the last one are empty.
  std::vector<Array<double>> measures;
  /// [N] log(1 - confidence), see logRestOf.
  Array<double> log_rest;

  [[nodiscard]] const Array<double>& values(Measure measure) const {
    static const Array<double> kNone;
    const auto at = static_cast<std::size_t>(measure);
    return at < measures.size() ? measures[at] : kNone;
  }
  [[nodiscard]] bool has(Measure measure) const { return !values(measure).empty(); }
  /// Sort key of a row for an available measure: the value of the measure, except for the
  /// confidence, where it is -log(1 - confidence), which does not saturate.
  [[nodiscard]] double rank(Measure measure, std::int64_t row) const {
    return measure == Measure::kConfidence && !log_rest.empty() ? -log_rest.data()[row]
                                                                : values(measure).data()[row];
  }
};

/// Identifies one item of an analysis.
struct ItemRef {
  std::int32_t part = 0;  ///< 0: in-distribution, else 1 + number of the OOD part
  std::int64_t row = 0;   ///< row of that part's run

  friend auto operator<=>(const ItemRef&, const ItemRef&) = default;
};

struct Analysis;
using AnalysisPtr = std::shared_ptr<const Analysis>;

/// Everything that the pages show about one run and its OOD runs. Immutable once created.
struct Analysis {
  std::string name;                 ///< "MC dropout, 50 draws"
  std::string detail;               ///< "seed 0 · MNIST test, Fashion-MNIST"
  std::vector<AnalysisPart> parts;  ///< the in-distribution part first; never empty
  ModelPtr model;                   ///< null for predictions from files
  std::optional<MethodOptions> method;
  Evaluation evaluation;
  Overview overview;
  Array<std::int64_t> confusion;  ///< confusionMatrix of the in-distribution run
  /// nllOfItems of the in-distribution run: the loss of each item.
  Array<double> losses;
  /// Thresholds that keep 95 % of the correct items; used as initial positions of the threshold
  /// lines.
  std::map<Measure, double> thresholds95;
  EvaluationOptions options;  ///< of the evaluation
  /// With reviewed labels: the same runs with their given labels, and the labels that replaced
  /// them. Both null otherwise.
  AnalysisPtr given;
  ReviewedLabelsPtr reviewed;

  /// The in-distribution part.
  [[nodiscard]] const AnalysisPart& in() const { return parts.front(); }
  [[nodiscard]] const AnalysisPart& partOf(ItemRef item) const {
    return parts[static_cast<std::size_t>(item.part)];
  }
  /// Loss of an item in nats; NaN without a label.
  [[nodiscard]] double lossOf(ItemRef item) const {
    return item.part > 0 || losses.empty() ? kNaN : losses.data()[item.row];
  }
  /// The runs of all parts except the first.
  [[nodiscard]] std::vector<const Run*> oodRuns() const;
  [[nodiscard]] std::int64_t itemCount() const;
};

/// The analysis with the given labels: `analysis` itself unless its labels were replaced.
[[nodiscard]] const AnalysisPtr& givenOf(const AnalysisPtr& analysis);

/// Short description of a run's method and its settings: "MC dropout, 50 draws".
[[nodiscard]] std::string describeMethod(const Run& run);

/// Joins `run` with `dataset` (which may be null) on ids and derives the measures.
[[nodiscard]] AnalysisPart makePart(std::string name, std::shared_ptr<const Run> run,
                                    DatasetPtr dataset, const RunContext& context);

/// Evaluates the first of `parts` against the others. Blocking; for a worker thread.
[[nodiscard]] Expected<AnalysisPtr> analyse(std::vector<AnalysisPart> parts, ModelPtr model,
                                            std::optional<MethodOptions> method,
                                            const EvaluationOptions& options, RunContext& context);

}  // namespace dubito

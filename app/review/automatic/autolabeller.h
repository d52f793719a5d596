// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "app/jobs/newest_job.h"
#include "app/jobs/worker_thread.h"
#include "app/review/reviewer.h"
#include "core/base/plot_values.h"
#include "core/review/autolabel.h"

namespace dubito {

/// Inputs for the choice of a threshold.
struct CalibrationSource {
  AnalysisPtr analysis = nullptr;  ///< null: the items reviewed in random order
  bool is_calibration = false;     ///< its dataset has the role calibration
  QString obstacle = {};           ///< why it cannot be used; empty: it can
};

/// Preview of the labels for one target, before anything is written.
struct AutolabelPreview {
  Autolabel plan = {};
  std::int64_t fresh = 0;  ///< items of the plan that the model has not yet labelled the same way
  /// Calibration items: share selected by a threshold and share of them that is right, by
  /// threshold, in [0, 1].
  Curve accuracy_by_share = {};
  /// How many calibration items in all could keep the guarantee; nullopt: no number can, or
  /// unknown.
  std::optional<std::int64_t> items_needed = {};
  /// Reviewed items in random order that other targets would need in all, by target; empty with
  /// another source. nullopt: no number can keep the guarantee.
  std::vector<std::pair<double, std::optional<std::int64_t>>> needed_for = {};
  std::int64_t skipped = 0;     ///< of the reviewed items: skipped, count as wrong
  std::int64_t not_random = 0;  ///< decided by persons, but not drawn at random: do not count
};
using AutolabelPreviewPtr = std::shared_ptr<const AutolabelPreview>;

/// Takes the suggestions under review that are certain enough as labels: what would happen for a
/// target is computed in the background and follows every change. GUI thread only.
class Autolabeller : public QObject {
  Q_OBJECT
 public:
  /// `reviewer` must outlive this.
  explicit Autolabeller(Reviewer& reviewer, QObject* parent = nullptr);
  ~Autolabeller() override;

  /// Checks the sources and computes the preview again: the run or the labels changed.
  void refresh();
  // Each computes the preview again.
  void setTarget(double target);
  void setDelta(double delta);
  void setMeasure(Measure measure);
  void setSource(std::size_t source);

  [[nodiscard]] double target() const { return selection_.target; }
  [[nodiscard]] double delta() const { return selection_.delta; }
  [[nodiscard]] Measure measure() const { return measure_; }
  /// The run under review aside, all open runs; suitable ones with the role calibration first. Last
  /// come the items reviewed in random order.
  [[nodiscard]] const std::vector<CalibrationSource>& sources() const { return sources_; }
  /// Position in sources().
  [[nodiscard]] std::size_t source() const { return source_; }
  [[nodiscard]] bool usesReviewed() const;
  /// Whether the suggestions are those of a network, so that another run of it can be opened.
  [[nodiscard]] bool isOfNetwork() const { return !reviewer_.suggestsLabels(); }
  /// Null until it is computed, or if there is nothing to choose a threshold on.
  [[nodiscard]] const AutolabelPreviewPtr& preview() const { return preview_; }
  /// Items that can be used to choose the threshold.
  [[nodiscard]] std::int64_t calibrationCount() const;
  /// True while a preview or labels are on their way.
  [[nodiscard]] bool busy() const;
  [[nodiscard]] bool writing() const { return writing_; }

  /// Records the labels of the model as one step. Emits labelled().
  void write();

 Q_SIGNALS:
  void sourcesChanged();
  void previewChanged();
  void labelled(qint64 items);
  void failed(const QString& message);

 private:
  /// All that does not depend on the target.
  struct Basis;
  using BasisPtr = std::shared_ptr<const Basis>;

  void checkSources();
  void takeSources(std::vector<CalibrationSource> sources);
  void computeBasis();
  void computePreview();
  void report(const Error& error);

  Reviewer& reviewer_;
  WorkerThread thread_;  ///< outlives the jobs
  NewestJob sources_job_;
  NewestJob basis_job_;
  NewestJob preview_job_;
  Job write_job_;
  AnalysisPtr analysis_;  ///< that sources_ belong to
  std::vector<CalibrationSource> sources_;
  std::size_t source_ = 0;
  bool source_chosen_ = false;  ///< by the user
  SelectionOptions selection_ = AutolabelOptions().selection;
  Measure measure_ = Measure::kEntropy;
  BasisPtr basis_;
  AutolabelPreviewPtr preview_;
  bool writing_ = false;
};

}  // namespace dubito

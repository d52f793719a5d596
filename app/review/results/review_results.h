// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "app/jobs/newest_job.h"
#include "app/jobs/worker_thread.h"
#include "app/review/queue/review_queue.h"
#include "app/review/results/review_results_values.h"
#include "app/review/review_mode.h"
#include "core/review/effect.h"

class QLabel;
class QPushButton;

namespace dubito {

class Card;
class ChangeList;
class ConfusionMatrix;
class CurvePlot;
class KeyValueList;
class Reviewer;
struct Analysis;
struct LabelClass;

/// Effect and course of the review. Plots select items on the other pages.
class ReviewResults : public ReviewMode {
  Q_OBJECT
 public:
  /// `reviewer` must outlive the widget.
  explicit ReviewResults(Reviewer& reviewer, QWidget* parent = nullptr);
  ~ReviewResults() override;

  void showState() override { refresh(); }
  void showItem() override { refresh(); }
  bool takeKey(const QKeyEvent& /*event*/) override { return false; }
  [[nodiscard]] bool busy() const override { return job_.busy(); }
  [[nodiscard]] bool showsQueue() const override { return false; }
  /// Null until it is computed.
  [[nodiscard]] const ReviewEffect* effect() const { return effect_.get(); }

 private:
  /// Computes everything anew, in the background.
  void refresh();
  void showEffect();
  void showScores();
  void showChanges();
  /// The matrix, with a button that shows the images of the selected cell.
  [[nodiscard]] QWidget* withButton();
  void showFound();
  void showCourse();
  void showAgreement();
  void showPersons();
  void showProgress();
  void showVisibility();
  [[nodiscard]] QString nameOf(std::int64_t class_id) const;
  void selectCell(int given, int reviewed);
  void selectDecile(int point);
  /// Selects rows of the run on the other pages.
  void select(const QString& name, const std::vector<std::int64_t>& rows);

  Reviewer& reviewer_;
  WorkerThread thread_;  ///< outlives the job
  NewestJob job_;
  std::shared_ptr<const Analysis> analysis_;  ///< that effect_ is of
  std::shared_ptr<const ReviewEffect> effect_;
  ReviewCourse course_ = ReviewCourse::kRate;
  std::vector<int> decile_of_point_;  ///< of the course
  Card* scores_card_;
  ChangeList* scores_;
  QLabel* suggested_;
  Card* changes_card_;
  ConfusionMatrix* changes_;
  QPushButton* show_;
  ItemQueue selected_;  ///< the images of the selected cell
  Card* found_card_;
  CurvePlot* found_;
  Card* course_card_;
  CurvePlot* course_plot_;
  Card* agreement_card_;
  KeyValueList* agreement_;
  Card* persons_card_;
  KeyValueList* persons_;
  Card* progress_card_;
  KeyValueList* progress_;
  Card* visibility_card_;
  KeyValueList* visibility_;
};

}  // namespace dubito

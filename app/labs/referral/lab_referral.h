// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "app/jobs/job.h"
#include "app/jobs/newest_job.h"
#include "app/jobs/window_jobs.h"
#include "app/labs/lab_view.h"
#include "app/labs/referral/lab_referral_values.h"
#include "app/session/session.h"

class QComboBox;
class QLabel;

namespace dubito {

class CompareTable;
class LabDemoOffer;
class OptionsForm;
class ValueSlider;

/// The laboratory "Referral": what it costs to refer the least certain items of a run to an expert.
class LabReferral : public LabView {
 public:
  explicit LabReferral(const LabParts& parts, QWidget* parent = nullptr);

  void begin() override;
  [[nodiscard]] bool busy() const override {
    return isActive(rank_job_.state()) || cost_job_.busy();
  }
  [[nodiscard]] nlohmann::json setUp() const override;
  [[nodiscard]] Status applySetUp(const nlohmann::json& set_up) override;
  /// What is shown; null: nothing.
  [[nodiscard]] const std::shared_ptr<const ReferralPicture>& picture() const { return picture_; }

 private:
  using RunPtr = std::shared_ptr<const Run>;
  using PicturePtr = std::shared_ptr<const ReferralPicture>;

  [[nodiscard]] QWidget* buildSetUp(FileOpener& opener);
  [[nodiscard]] QWidget* buildResults();
  void connectParts();
  /// The run shown in the window; null: none.
  [[nodiscard]] RunPtr shownRun() const;
  void showRuns();
  /// Shows the fields that have an effect for the classes of the run.
  void showFields();
  /// Ranks the items of the run, which sorts them by every measure.
  void rank();
  /// Computes the costs of the ranking.
  void count();
  void applyOption(const QString& name);
  void deliver(const Expected<PicturePtr>& picture);
  void showPicture();

  WindowJobs& jobs_;
  Session& session_;
  WorkerThread thread_;  ///< outlives the jobs; own, so that nothing delays a slider
  Job rank_job_;
  NewestJob cost_job_;
  ReferralOptions options_;
  RunPtr run_;  ///< that is ranked or to be ranked
  std::shared_ptr<const ReferralRanking> ranking_;
  PicturePtr picture_;
  QString error_;
  std::optional<Measure> chosen_;  ///< row of the table; nullopt: the cheapest
  bool begun_ = false;

  QComboBox* runs_;
  LabDemoOffer* offer_;
  ValueSlider* look_;
  ValueSlider* error_cost_;
  QLabel* ratio_;
  OptionsForm* form_;
  QLabel* sentence_;
  QLabel* notes_;
  LabCard<CurvePlot> costs_;
  LabCard<CurvePlot> roc_;
  LabCard<CompareTable> table_;
  /// What the ROC plot shows, which no cost changes.
  std::pair<std::shared_ptr<const ReferralRanking>, std::size_t> shown_roc_;
  int view_ = 0;  ///< of the costs: 0 by threshold, 1 by share
};

}  // namespace dubito

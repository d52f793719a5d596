// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <array>
#include <vector>

#include "app/jobs/job.h"
#include "app/jobs/window_jobs.h"
#include "app/page/page.h"
#include "app/session/session.h"
#include "app/shift/shift_request.h"
#include "app/workbench/run_computer.h"

class QComboBox;
class QHBoxLayout;
class QLabel;
class QPushButton;

namespace dubito {

class Card;
class CurvePlot;
class ImageGallery;

/// Repeats the displayed run on corrupted images (noise, blur, brightness, contrast, rotation,
/// occlusion) and shows accuracy, confidence and uncertainty by severity, and one image at each
/// severity. If several runs were repeated under the same corruption, their curves can be overlaid,
/// one quantity per plot.
class ShiftPage : public Page {
  Q_OBJECT
 public:
  /// The arguments outlive the page.
  ShiftPage(Session& session, WindowJobs& jobs, RunComputer& computer, QWidget* parent = nullptr);

  [[nodiscard]] const ShiftResultPtr& result() const { return result_; }
  /// The results of all runs for the corruption of result(), in the order of the session's runs.
  [[nodiscard]] std::vector<ShiftResultPtr> overlaid() const;
  /// True while a result is being computed or images are being decoded.
  [[nodiscard]] bool busy() const override {
    return isActive(job_.state()) || isActive(images_job_.state());
  }
  /// Selects a corruption and starts the computation if possible.
  void compute(CorruptionKind kind);

 Q_SIGNALS:
  /// overlaid() may have changed.
  void overlaidChanged();

 private:
  void buildBar(QHBoxLayout& bar);
  void start();
  /// Without a result shown, chooses a corruption for which the run shown has one.
  void chooseKindWithResult();
  void showState();
  void showRun();
  void showResult();
  void fillChoices();
  void showItem();
  void showImages(const std::vector<Image8>& images, std::int64_t id);
  [[nodiscard]] CorruptionKind chosenKind() const;

  RunComputer& computer_;
  Session& session_;
  Job job_;
  Job images_job_;
  ShiftResultPtr result_;  ///< result shown; null: none
  /// Choice of each card: 0 shows this run only, i > 0 compares runs by the i-th quantity.
  std::array<int, 2> chosen_{};
  bool compared_ = false;  ///< several results exist, so the cards offer comparisons

  Card* card_;
  QComboBox* kind_;
  QPushButton* start_;
  QLabel* status_;
  Card* shares_card_;
  CurvePlot* shares_;
  Card* entropies_card_;
  CurvePlot* entropies_;
  Card* item_card_;
  ImageGallery* steps_;
};

}  // namespace dubito

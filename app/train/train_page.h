// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/page/page.h"
#include "app/train/earlier_drop_rates.h"
#include "app/train/head_trainer.h"

class QLabel;
class QPushButton;

namespace dubito {

class Card;
class CardRows;
class CurvePlot;
class KeyValueList;
class ReliabilityPlot;
class TrainRates;
class TrainSetUp;

/// Trains a new head on a frozen network. Losses, calibration of the validation items and learned
/// drop rates follow the training; stopping it keeps the best head so far. Another backbone shows
/// how its own drop rates were learned.
class TrainPage : public Page {
  Q_OBJECT
 public:
  /// All arguments must outlive the page.
  TrainPage(Session& session, WindowJobs& jobs, Messages& messages, RunComputer& computer,
            RecentFiles& recent, QWidget* parent = nullptr);

  [[nodiscard]] HeadTrainer& trainer() { return trainer_; }
  [[nodiscard]] TrainSetUp& setUp() { return *set_up_; }
  [[nodiscard]] bool busy() const override { return trainer_.training(); }
  /// Has the same effect as pressing Train.
  void train();

 private:
  [[nodiscard]] Card* buildBar();
  void buildPlots(CardRows& rows);
  void connectTrainer();
  void followBackbone();
  void showState();
  void showCourse();
  void showRates();
  void showNumbers();
  [[nodiscard]] QString captionOf(const QString& rest) const;

  HeadTrainer trainer_;
  EarlierDropRates earlier_;  ///< of the chosen backbone
  TrainSetUp* set_up_;

  QPushButton* start_ = nullptr;
  QPushButton* stop_ = nullptr;
  QPushButton* cancel_ = nullptr;
  QLabel* status_ = nullptr;
  Card* losses_card_ = nullptr;
  CurvePlot* losses_ = nullptr;
  Card* reliability_card_ = nullptr;
  ReliabilityPlot* reliability_ = nullptr;
  TrainRates* rates_ = nullptr;
  Card* numbers_card_ = nullptr;
  KeyValueList* numbers_ = nullptr;
};

}  // namespace dubito

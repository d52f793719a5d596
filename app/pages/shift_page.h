// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QWidget>
#include <array>
#include <vector>

#include "app/jobs/job.h"
#include "app/session/shift_request.h"
#include "app/session/workbench.h"

class QComboBox;
class QHBoxLayout;
class QLabel;
class QPushButton;

namespace dubito {

class Card;
class CurvePlot;
class ImageGallery;

/// The run shown on corrupted images (noise, blur, darkness, rotation): accuracy, confidence and
/// uncertainty by severity, and one image at each step. Runs repeated under the same corruption are
/// overlaid, one quantity at a time.
class ShiftPage : public QWidget {
  Q_OBJECT
 public:
  /// `workbench` outlives the page.
  explicit ShiftPage(Workbench& workbench, QWidget* parent = nullptr);

  [[nodiscard]] const ShiftResultPtr& result() const { return result_; }
  /// Results under the corruption of result(), in the order of the session's runs.
  [[nodiscard]] std::vector<ShiftResultPtr> overlaid() const;
  /// True while computing or decoding.
  [[nodiscard]] bool busy() const {
    return isActive(job_.state()) || isActive(images_job_.state());
  }
  /// Selects a corruption and starts computing if possible.
  void compute(CorruptionKind kind);

 Q_SIGNALS:
  void failed(const QString& message);

 private:
  void buildBar(QHBoxLayout& bar);
  void start();
  void take(const ShiftResultPtr& result);
  void showState();
  void showRun();
  void showResult();
  void fillChoices();
  void showItem();
  void takeImages(const std::vector<Image8>& images, std::int64_t id);
  [[nodiscard]] CorruptionKind chosenKind() const;

  Workbench& workbench_;
  Session& session_;
  Job job_;
  Job images_job_;
  ShiftResultPtr result_;                ///< result whose images are shown
  std::vector<ShiftResultPtr> results_;  ///< one per run and corruption
  std::array<int, 2> chosen_{};          ///< per card: 0 this run only, else a quantity
  bool compared_ = false;                ///< the cards offer quantities of several runs

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

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "core/train/drop_rate_trace.h"
#include "widgets/card.h"

namespace dubito {

class CurvePlot;

/// A card with the course of learned drop rates: the means of all layers, or the traced units of
/// one layer.
class TrainRates : public Card {
  Q_OBJECT
 public:
  explicit TrainRates(QWidget* parent = nullptr);

  /// Shows `course`. `subject` ends the caption: network and data.
  void setCourse(const DropRateCourse& course, const QString& subject);
  /// Says why there is no course, in place of it. Until there is another one, the choice of the
  /// view is kept if `may_continue`.
  void setNothing(const QString& reason, bool may_continue);

 Q_SIGNALS:
  void failed(const QString& message);

 private:
  void offerViews(const DropRateCourse& course);
  void showView();

  CurvePlot* plot_;
  DropRateCourse course_;
  QString subject_;
  QStringList titles_;                    ///< of the views; empty: only the means
  std::vector<std::size_t> unit_layers_;  ///< layers that have a separate view
  int view_ = 0;                          ///< 0: the means, else a layer
};

}  // namespace dubito

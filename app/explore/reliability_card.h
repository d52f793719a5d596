// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "app/session/session.h"
#include "core/analysis/analysis_sample.h"
#include "widgets/card.h"

namespace dubito {

class ReliabilityForm;
class ReliabilityPlot;

/// Card with the reliability diagram of the run shown and of the selected items. A form edits the
/// options of the diagram. Clicking a bin selects its items.
class ReliabilityCard : public Card {
  Q_OBJECT
 public:
  /// `session` outlives the card.
  explicit ReliabilityCard(Session& session, QWidget* parent = nullptr);
  /// Shows the diagram of a sample while no run is shown.
  void showSample(const AnalysisSample& sample);

 Q_SIGNALS:
  void failed(const QString& message);

 private:
  void showAnalysis();
  void showDiagram();
  /// `sample_of`: as for withSample().
  void draw(const Analysis& analysis, const Reliability& reliability, std::int64_t sample_of);
  void showSelected();
  /// The selected bin; nullopt if none is selected or it belongs to a diagram with other options.
  [[nodiscard]] std::optional<int> markedBin() const;
  void openOptions(const QPoint& position);

  Session& session_;
  ReliabilityPlot* plot_;
  ReliabilityForm* form_;
};

}  // namespace dubito

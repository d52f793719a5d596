// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "app/session/session.h"
#include "widgets/card.h"

namespace dubito {

class ReliabilityForm;
class ReliabilityPlot;

/// The reliability diagram of the run shown and of the selected items, with a form for its options.
/// Clicking a bin selects its items.
class ReliabilityCard : public Card {
  Q_OBJECT
 public:
  /// `session` outlives the card.
  explicit ReliabilityCard(Session& session, QWidget* parent = nullptr);

 Q_SIGNALS:
  void failed(const QString& message);

 private:
  void showAnalysis();
  void showDiagram();
  void showSelected();
  /// The selected bin if it belongs to the diagram shown.
  [[nodiscard]] std::optional<int> markedBin() const;
  void askForOptions(const QPoint& position);

  Session& session_;
  ReliabilityPlot* plot_;
  ReliabilityForm* form_;
};

}  // namespace dubito

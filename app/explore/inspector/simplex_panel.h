// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <array>

#include "app/explore/inspector/item_simplex.h"

class QComboBox;

namespace dubito {

/// Three classes of the selected item on a triangle. Each corner has a chooser: the most likely
/// class, or a fixed class that stays chosen when the item changes.
class SimplexPanel : public QWidget {
  Q_OBJECT
 public:
  explicit SimplexPanel(QWidget* parent = nullptr);

  /// `draws` [T, K] are those of the item; empty if there are none.
  void setItem(AnalysisPtr analysis, ItemRef item, Array<float> draws);
  void setView(SimplexPlot::View view);
  void setCaption(const QString& title, const QString& subtitle);
  /// One or two lines that describe the plot.
  [[nodiscard]] const QString& note() const { return note_; }

 Q_SIGNALS:
  void noteChanged();

 protected:
  /// Gives the plot below the choosers the same height as width.
  void resizeEvent(QResizeEvent* event) override;

 private:
  void listClasses();
  void choose(std::size_t corner, int index);
  void show();

  AnalysisPtr analysis_;
  ItemRef item_;
  Array<float> draws_;
  CornerChoices choices_;
  std::vector<QString> listed_;  ///< class names listed in the choosers
  std::array<QComboBox*, 3> boxes_{};
  SimplexPlot* plot_;
  QString note_;
};

}  // namespace dubito

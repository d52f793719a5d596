// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <array>

#include "app/panels/item_simplex.h"

class QComboBox;

namespace dubito {

/// Three classes of the selected item on a triangle, with choosers for the corners: the most likely
/// classes, or a fixed choice kept from item to item.
class SimplexPanel : public QWidget {
  Q_OBJECT
 public:
  explicit SimplexPanel(QWidget* parent = nullptr);

  /// `draws` [T, K] of the item; empty: none.
  void setItem(AnalysisPtr analysis, ItemRef item, Array<float> draws);
  void setView(SimplexPlot::View view);
  void setCaption(const QString& title, const QString& subtitle);
  /// One or two lines about what is shown.
  [[nodiscard]] const QString& note() const { return note_; }

 Q_SIGNALS:
  void noteChanged();

 protected:
  /// Keeps the triangle as high as wide, below the choosers.
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

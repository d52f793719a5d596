// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <array>

#include "app/panels/item_simplex.h"

class QComboBox;

namespace dubito {

/// The triangle of three classes of the chosen item, and which three they are: the likeliest, or
/// those that are chosen, which stay from item to item.
class SimplexPanel : public QWidget {
  Q_OBJECT
 public:
  explicit SimplexPanel(QWidget* parent = nullptr);

  /// `draws` [T, K] of the item; empty: none.
  void setItem(AnalysisPtr analysis, ItemRef item, Array<float> draws);
  void setView(SimplexPlot::View view);
  void setCaption(const QString& title, const QString& subtitle);
  /// What is shown, in a line or two.
  [[nodiscard]] const QString& note() const { return note_; }

 Q_SIGNALS:
  void noteChanged();

 protected:
  /// The triangle is as high as wide, below the boxes.
  void resizeEvent(QResizeEvent* event) override;

 private:
  void listClasses();
  void choose(std::size_t corner, int index);
  void show();

  AnalysisPtr analysis_;
  ItemRef item_;
  Array<float> draws_;
  CornerChoices choices_;
  std::vector<QString> listed_;  ///< class names that the boxes hold
  std::array<QComboBox*, 3> boxes_{};
  SimplexPlot* plot_;
  QString note_;
};

}  // namespace dubito

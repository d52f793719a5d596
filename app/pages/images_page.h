// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "app/session/session.h"

class QComboBox;
class QLayout;
class QLayout;
class QListWidget;
class QSlider;
class QPushButton;
class QStackedWidget;

namespace dubito {

class AttributeBar;
class Card;
class ConfusionMatrix;
class ImageGallery;
class PlaneView;
class ThumbnailLoader;
class Workbench;

/// The items as a large gallery, filtered by group, class and attribute and sorted by any measure
/// or attribute. Without a run, or while a dataset is browsed, shows the images of a dataset. Items
/// with two inputs can also be shown in the plane. A confusion matrix next to the gallery lists the
/// items of a cell.
class ImagesPage : public QWidget {
  Q_OBJECT
 public:
  /// Both outlive the page.
  ImagesPage(Workbench& workbench, ThumbnailLoader& loader, QWidget* parent = nullptr);

  /// True while the plane is being read or predicted.
  [[nodiscard]] bool busy() const;

 Q_SIGNALS:
  /// The confusion matrix could not be saved.
  void failed(const QString& message);
  /// An image was double-clicked, or Enter pressed.
  void largeImageRequested();

 private:
  QComboBox* addChooser(QLayout& bar, const QString& label, const char* name);
  /// The gallery, and the plane for items that are points of it.
  [[nodiscard]] QWidget* makeViews(Workbench& workbench, QLayout& bar);
  /// Shows the gallery or the plane, as chosen; for a dataset without a run, the gallery.
  void showView();
  void addConfusion();
  void fillChoosers();
  /// True if the images of a dataset are shown instead of those of the run.
  [[nodiscard]] bool showsDataset() const;
  /// Without a run, or while a dataset is browsed, shows its images without filters.
  void showState();
  void showConfusion();
  void showMistakes();
  void showQuery();
  void edited();

  Session& session_;
  QWidget* filters_;
  QWidget* sorting_;
  QComboBox* group_;
  QComboBox* predicted_;
  QComboBox* label_;
  QComboBox* sort_;
  QPushButton* direction_;
  QPushButton* back_;
  QSlider* size_;
  AttributeBar* attributes_;
  Card* card_;
  ImageGallery* gallery_;
  PlaneView* plane_;
  QStackedWidget* views_;
  QComboBox* view_;
  Card* confusion_card_;
  ConfusionMatrix* confusion_;
  QListWidget* mistakes_;
  bool planar_ = false;  ///< the run has points in the plane
  bool filling_ = false;
};

}  // namespace dubito

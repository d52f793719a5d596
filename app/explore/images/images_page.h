// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/page/page.h"
#include "app/session/session.h"

class QComboBox;
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
class ItemTable;
class PlaneView;
class RunComputer;
class SortBar;
class ThumbnailLoader;
class WindowJobs;

/// Gallery of the items, filtered by group, class and attribute, and sorted by any measure,
/// attribute or column. Without a run, or while a dataset is browsed, shows the images of a
/// dataset. The items of a run can also be shown as a table, which replaces the gallery if there
/// are no images; items with two inputs also as points in the plane. Clicking a cell of the
/// confusion matrix next to the gallery lists the items of that cell.
class ImagesPage : public Page {
  Q_OBJECT
 public:
  /// All arguments outlive the page.
  ImagesPage(Session& session, WindowJobs& jobs, RunComputer& computer, ThumbnailLoader& loader,
             QWidget* parent = nullptr);

  /// True while coordinates are being read or the network is being evaluated over the input plane.
  [[nodiscard]] bool busy() const override;

 Q_SIGNALS:
  /// An image was double-clicked, or Enter was pressed.
  void largeImageRequested();

 private:
  /// Creates the gallery and, for items with two inputs, the scatter view of the input plane.
  [[nodiscard]] QWidget* makeViews(WindowJobs& jobs, RunComputer& computer, QLayout& bar);
  /// Shows the chosen view: gallery, table or plane. The images of a dataset are always shown in
  /// the gallery.
  void showView();
  void addConfusion();
  void fillChoosers();
  /// True if the images of a dataset are shown instead of those of the run.
  [[nodiscard]] bool showsDataset() const;
  /// Updates the page. The filters are hidden while the images of a dataset are shown.
  void showState();
  void showConfusion();
  void showMistakes();
  void showQuery();
  void edited();

  Session& session_;
  QWidget* filters_;
  SortBar* sorting_;
  QComboBox* group_;
  QComboBox* predicted_;
  QComboBox* label_;
  QPushButton* back_;
  QSlider* size_;
  AttributeBar* attributes_;
  Card* card_;
  ImageGallery* gallery_;
  ItemTable* table_;
  QPushButton* as_table_;
  PlaneView* plane_;
  QStackedWidget* views_;
  QComboBox* view_;
  Card* confusion_card_;
  ConfusionMatrix* confusion_;
  QListWidget* mistakes_;
  bool planar_ = false;  ///< the items of the run have two inputs
  bool filling_ = false;
};

}  // namespace dubito

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "app/pictures/thumbnail_loader.h"
#include "app/session/session.h"

class QLabel;

namespace dubito {

class ZoomView;

/// A window with a zoomable picture of the primary item, or of the selected item of the browsed
/// dataset. The picture follows the selection, and the keys for the previous and next item also
/// work in this window.
class LargeImage : public QDialog {
  Q_OBJECT
 public:
  /// `session` outlives the window.
  explicit LargeImage(Session& session, QWidget* parent = nullptr);

  /// Sets the version of the picture to show.
  void setPicture(Picture picture);
  /// While `is_on`, draws `overlay` (null: not known yet) over the network input of the item of a
  /// run whose model is open.
  void setOverlay(bool is_on, const QImage& overlay);
  /// The picture with the overlay, if any, as shown.
  [[nodiscard]] QImage shownImage() const;
  /// True if the picture is loaded.
  [[nodiscard]] bool settled() const { return loader_.pending() == 0; }

 Q_SIGNALS:
  /// The key for the pixels that matter was pressed.
  void whyRequested();

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void showItem();
  void showItemOf(const DatasetPtr& dataset);
  void showItemOf(const AnalysisPtr& analysis, ItemRef item);
  void load(const PictureSource& source, qint64 key);
  /// The version of the picture of an item of a run, which an overlay decides if there is one.
  [[nodiscard]] Picture shown(const Analysis& analysis) const;

  Session& session_;
  ThumbnailLoader loader_;
  Picture picture_ = Picture::kStored;
  bool has_overlay_ = false;
  QImage overlay_;
  QImage loaded_;
  bool takes_overlay_ = false;          ///< the wanted picture is a network input below an overlay
  std::shared_ptr<const void> wanted_;  ///< owner of the requested picture
  qint64 wanted_key_ = -1;
  ZoomView* view_;
  QLabel* caption_;
};

}  // namespace dubito

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
  /// True if the picture is loaded.
  [[nodiscard]] bool settled() const { return loader_.pending() == 0; }

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void showItem();
  void showItemOf(const DatasetPtr& dataset);
  void showItemOf(const AnalysisPtr& analysis, ItemRef item);
  void load(const PictureSource& source, qint64 key);

  Session& session_;
  ThumbnailLoader loader_;
  Picture picture_ = Picture::kStored;
  std::shared_ptr<const void> wanted_;  ///< owner of the requested picture
  qint64 wanted_key_ = -1;
  ZoomView* view_;
  QLabel* caption_;
};

}  // namespace dubito

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "app/panels/thumbnail_loader.h"
#include "app/session/session.h"

class QLabel;

namespace dubito {

class ZoomView;

/// The selected item of the run or of the browsed dataset in a zoomable window. It follows the
/// selection, and the keys for the previous and next image work here too.
class LargeImage : public QDialog {
  Q_OBJECT
 public:
  /// `session` outlives the window.
  explicit LargeImage(Session& session, QWidget* parent = nullptr);

  /// Which picture of the item is shown.
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

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QImage>

#include "app/pages/review_mode.h"
#include "app/panels/thumbnail_loader.h"

class QCheckBox;
class QLabel;
class QPushButton;

namespace dubito {

class Card;
class ReviewClasses;
struct PresentLabel;
class Reviewer;
class ReviewProgress;
class ReviewSimilar;
class Workbench;
class ZoomView;

/// One large image at a time, with the classes to choose from and the keys that choose them.
class ReviewSingle : public ReviewMode {
  Q_OBJECT
 public:
  /// Both must outlive the widget.
  ReviewSingle(Reviewer& reviewer, Workbench& workbench, QWidget* parent = nullptr);

  void showState() override;
  void showItem() override;
  bool takeKey(const QKeyEvent& event) override;
  [[nodiscard]] bool busy() const override;
  [[nodiscard]] bool showsQueue() const override { return true; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  [[nodiscard]] QWidget* makeImage();
  /// Requests the picture of the item shown, and those of the next ones.
  void loadPictures();
  [[nodiscard]] QString decidedText(const PresentLabel& label) const;
  void takePicture(qint64 key, const QImage& image);
  void showPicture(const QImage& image);
  /// Shows the images as stored, or as the network sees them.
  void setPicture(Picture picture);
  /// "4, 83 % sure (70 to 92)".
  [[nodiscard]] QString suggestionText(std::int64_t row) const;

  Reviewer& reviewer_;
  ThumbnailLoader loader_;          ///< of the pictures as stored
  ThumbnailLoader network_loader_;  ///< as the network sees them
  Picture picture_ = Picture::kStored;
  std::shared_ptr<const void> pictures_of_;
  QHash<qint64, QImage> pictures_;  ///< of the items around the one shown
  Card* image_card_;
  ZoomView* image_;
  QLabel* suggestion_;
  QCheckBox* as_network_;
  QPushButton* accept_;
  ReviewClasses* classes_;
  ReviewSimilar* similar_;
  ReviewProgress* progress_;
};

}  // namespace dubito

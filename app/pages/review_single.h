// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCache>
#include <QHash>
#include <QImage>
#include <memory>

#include "app/pages/review_mode.h"
#include "app/panels/thumbnail_loader.h"
#include "app/review/review_keys.h"

class QCheckBox;
class QLabel;
class QPushButton;

namespace dubito {

class Card;
class CardRows;
class ItemHashes;
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
  /// For a large picture that is enlarged.
  void loadAllPixels();
  void loadHistory(const QVector<qint64>& keys);
  void takePicture(qint64 key, const QImage& image);
  void showPicture(const QImage& image);
  /// Shows the images as stored, or as the network sees them.
  void setPicture(Picture picture);
  /// "4, 83 % sure (70 to 92)".
  [[nodiscard]] QString suggestionText(std::int64_t row) const;
  /// Writes the keys on the buttons.
  void showKeys();
  /// Does what a command means here; false: nothing.
  bool execute(ReviewCommand command);
  /// Name of a class of the label file; empty if there is none.
  [[nodiscard]] QString nameOfClass(std::int64_t class_id) const;

  Reviewer& reviewer_;
  ThumbnailLoader loader_;          ///< of the pictures as stored
  ThumbnailLoader network_loader_;  ///< as the network sees them
  ThumbnailLoader history_loader_;
  ThumbnailLoader full_loader_;
  Picture picture_ = Picture::kStored;
  std::shared_ptr<ItemHashes> pictured_;  ///< of the review that the pictures belong to
  QHash<qint64, QImage> pictures_;        ///< of the items around the one shown
  QCache<qint64, QImage> thumbnails_;     ///< small, of the items shown last
  std::int64_t prefetched_ = 1;           ///< pictures after the one shown, as memory allows
  CardRows* rows_;
  Card* image_card_;
  ZoomView* image_;
  QLabel* suggestion_;
  QCheckBox* as_network_;
  QPushButton* accept_;
  struct KeyButton {
    QPushButton* button;
    QString text;
    QString tip;
    ReviewCommand command;
  };
  std::vector<KeyButton> buttons_;
  ReviewClasses* classes_;
  ReviewSimilar* similar_;
  ReviewProgress* progress_;
};

}  // namespace dubito

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <cstdint>
#include <memory>
#include <vector>

#include "app/pictures/page_pictures.h"
#include "app/review/labels/class_pages.h"
#include "app/review/review_mode.h"

namespace dubito {

class Card;
class Reviewer;
class ReviewGridFoot;
class ReviewGridHead;
struct Tile;
class TileGrid;

/// Pages of small images for which the network suggests the same class: the wrong ones are marked,
/// and the others accepted in one step. Only images that are in view can be accepted.
class ReviewGrid : public ReviewMode {
  Q_OBJECT
 public:
  /// `reviewer` must outlive the widget.
  explicit ReviewGrid(Reviewer& reviewer, QWidget* parent = nullptr);

  void showState() override;
  void showItem() override;
  bool takeKey(const QKeyEvent& event) override;
  [[nodiscard]] bool busy() const override;
  [[nodiscard]] bool showsQueue() const override { return true; }
  /// From the marked images of earlier pages, which are decided one by one.
  void comeBack() override;

  [[nodiscard]] ClassPages& pages() { return pages_; }
  /// Whether accept() would accept images now.
  [[nodiscard]] bool canAccept() const;
  /// The images that are not marked are what the network suggests: one step. If none is left, shows
  /// the next page or class.
  void accept();
  /// The marked images have this class: one step.
  void chooseMarked(std::int64_t class_id);
  /// The same for an action without a class.
  void markMarked(LabelAction action);
  /// To the next (1) or previous (-1) page; decides nothing.
  void turnPage(int direction);

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void takeRecorded();
  void showPage();
  /// Of the images on the page, once all are shown: the next step records them.
  /// The tiles, counts and texts of the same page.
  void refresh();
  void showTexts();
  /// "2 horse, 4 truck": the keys that name marked images.
  [[nodiscard]] QString keysOfClasses(std::int64_t shown_class) const;
  void showFoot();
  [[nodiscard]] Tile tileOf(std::int64_t row) const;
  void reviewLeftOut();
  /// The marked rows, which are going to be written; empty if nothing can be.
  [[nodiscard]] std::vector<std::int64_t> takeMarked();
  [[nodiscard]] std::vector<std::int64_t> rowsOf(const std::vector<int>& tiles) const;
  /// Time for each image of the page.
  [[nodiscard]] qint64 spentEach() const;

  Reviewer& reviewer_;
  ClassPages pages_;
  PagePictures pictures_;
  AnalysisPtr pictured_;  ///< which the pictures belong to
  /// Which decisions are being written.
  enum class Saving { kNothing, kPage, kMarked };
  Saving saving_ = Saving::kNothing;
  std::vector<std::int64_t> timed_rows_;  ///< the page that shown_ is about
  QElapsedTimer shown_;                   ///< since its first picture was painted

  std::vector<std::int64_t> rows_before_;  ///< those queued before the left-out ones

  Card* card_;
  ReviewGridHead* head_;
  TileGrid* grid_;
  ReviewGridFoot* foot_;
};

}  // namespace dubito

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStackedWidget>
#include <vector>

#include "app/page/page.h"
#include "app/shell/card_places.h"

class QSettings;

namespace dubito {

class ComparePage;
class ImagesPage;
class LabsPage;
class OverviewPage;
class ReviewPage;
class ShiftPage;
class StudyPage;
class TrainPage;
class TunePage;
class ThumbnailLoader;
class Workbench;

/// All pages of the window, in the order of PageId, of which one is shown.
class PageStack : public QStackedWidget {
  Q_OBJECT
 public:
  /// Makes the first page; makeRest() makes the others. Each page gets the parts of `workbench`
  /// that it uses. All arguments outlive the stack.
  PageStack(Workbench& workbench, ThumbnailLoader& thumbnails, QSettings& settings,
            QWidget* parent = nullptr);

  /// Once, before any page but the first is used.
  void makeRest();
  [[nodiscard]] std::vector<Page*> all() const;
  [[nodiscard]] Page& current() const;
  /// The rows of cards of all pages.
  [[nodiscard]] std::vector<CardPlaces::NamedRows> cardRows() const;
  [[nodiscard]] PageId shown() const { return current().id(); }

  [[nodiscard]] OverviewPage& overview() const { return *overview_; }
  [[nodiscard]] ImagesPage& images() const { return *images_; }
  [[nodiscard]] ComparePage& compare() const { return *compare_; }
  [[nodiscard]] TunePage& tune() const { return *tune_; }
  [[nodiscard]] ShiftPage& shift() const { return *shift_; }
  [[nodiscard]] ReviewPage& review() const { return *review_; }
  [[nodiscard]] TrainPage& train() const { return *train_; }
  [[nodiscard]] StudyPage& study() const { return *study_; }
  [[nodiscard]] LabsPage& labs() const { return *labs_; }

 private:
  [[nodiscard]] Page* make(PageId id);

  Workbench& workbench_;
  ThumbnailLoader& thumbnails_;
  QSettings& settings_;
  OverviewPage* overview_ = nullptr;
  ImagesPage* images_ = nullptr;
  ComparePage* compare_ = nullptr;
  TunePage* tune_ = nullptr;
  ShiftPage* shift_ = nullptr;
  ReviewPage* review_ = nullptr;
  TrainPage* train_ = nullptr;
  StudyPage* study_ = nullptr;
  LabsPage* labs_ = nullptr;
};

}  // namespace dubito

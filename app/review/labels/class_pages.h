// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "app/jobs/newest_job.h"
#include "app/jobs/worker_thread.h"
#include "app/review/labels/class_lists.h"

namespace dubito {

class Reviewer;

/// Pages of undecided items for which the network suggests the same class, in the order of the
/// reviewer's queue. GUI thread only.
class ClassPages : public QObject {
  Q_OBJECT
 public:
  /// `reviewer` must outlive this.
  explicit ClassPages(Reviewer& reviewer, QObject* parent = nullptr);

  /// Whether somebody looks at the pages. Items are reserved, and undone steps shown, only then.
  void setActive(bool active);
  /// Follows the reviewer's queue; sorts a new one by class in the background.
  void update();
  /// Whether the pages are those of the reviewer's queue.
  [[nodiscard]] bool ready() const;
  [[nodiscard]] bool busy() const { return job_.busy() || reserve_timer_.isActive(); }

  [[nodiscard]] const ClassLists& lists() const { return lists_; }
  /// Class suggested for the page; -1: none.
  [[nodiscard]] std::int64_t shownClass() const { return class_; }
  /// Rows of the run on the page, undecided when it was shown.
  [[nodiscard]] const std::vector<std::int64_t>& rows() const { return rows_; }
  /// Positions of the page in the list of its class: from begin(), before end().
  [[nodiscard]] std::int64_t begin() const { return begin_; }
  [[nodiscard]] std::int64_t end() const { return end_; }
  /// Rows of the next page.
  [[nodiscard]] std::vector<std::int64_t> nextRows() const;
  /// Whether suggestions are hidden, so that there are no pages.
  [[nodiscard]] bool hidden() const;
  /// Whether somebody else looks at an item of the page.
  [[nodiscard]] bool isElsewhere(std::int64_t row) const;

  /// Items on a page.
  void setCapacity(int capacity);
  void showClass(std::int64_t k);
  /// The class with the most undecided items; nothing if there are none.
  [[nodiscard]] std::optional<std::int64_t> largestClass() const;
  /// To the next (1) or previous (-1) page.
  void turn(int direction);
  /// The page from the same position on.
  void showAgain();

  /// The `marked` items of the page stay undecided; the `unmarked` ones are no longer left out.
  void leaveOut(const std::vector<std::int64_t>& marked, const std::vector<std::int64_t>& unmarked);
  [[nodiscard]] bool wasLeftOut(std::int64_t row) const;
  /// Those left out of earlier pages that are still undecided.
  [[nodiscard]] std::vector<std::int64_t> leftOut() const;

  [[nodiscard]] std::int64_t itemOf(std::int64_t row) const;
  /// The class that suggestion `k` counts as, after merges, and its name.
  [[nodiscard]] std::int64_t labelOf(std::int64_t k) const;
  [[nodiscard]] QString nameOf(std::int64_t k) const;

 Q_SIGNALS:
  /// Other items are on the page.
  void pageChanged();
  /// The same items, whose labels changed.
  void labelsChanged();
  void noticed(const QString& message);

 private:
  void takeLists(ClassLists lists);
  void countDecided();
  void markDecided();
  void updateDecided(const std::vector<std::int64_t>& items);
  void takeReverted(const std::vector<std::int64_t>& items);
  void takeReserved(const std::vector<std::int64_t>& requested,
                    const std::vector<std::int64_t>& granted);
  void show(std::int64_t from, ClassLists::Direction direction);
  [[nodiscard]] std::vector<std::int64_t> find(std::int64_t from,
                                               ClassLists::Direction direction) const;
  /// Asks that others do not look at the items of the page meanwhile.
  void reserve();

  Reviewer& reviewer_;
  WorkerThread thread_;  ///< outlives the job
  NewestJob job_;
  QTimer reserve_timer_;
  ClassLists lists_;
  std::int64_t number_ = -1;         ///< ReviewQueue::number() of lists_
  std::int64_t wanted_number_ = -1;  ///< of those being sorted
  bool active_ = false;
  int capacity_ = 1;
  std::int64_t class_ = -1;
  std::int64_t begin_ = 0;
  std::int64_t end_ = 0;
  std::vector<std::int64_t> rows_;
  std::vector<std::int64_t> left_out_;
  std::unordered_set<std::int64_t> elsewhere_;  ///< items
  /// Where the page of a step began, by the first item of the step: undo shows it again.
  std::unordered_map<std::int64_t, std::int64_t> begin_of_step_;
};

}  // namespace dubito

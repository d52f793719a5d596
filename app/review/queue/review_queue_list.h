// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>

#include "core/review/queue_kind.h"

namespace dubito {

class QueueFeatures;
class Reviewer;

/// The orders in which images can be reviewed, under the headings of their groups.
class ReviewQueueList : public QComboBox {
  Q_OBJECT
 public:
  /// Both must outlive the widget.
  ReviewQueueList(Reviewer& reviewer, const QueueFeatures& features, QWidget* parent = nullptr);

  /// Shows which queues can be built now, and which one is.
  void showState();

 private:
  void addHeading(const QString& text);
  /// Why a queue cannot be built now, as a sentence; empty if it can.
  [[nodiscard]] QString obstacleTo(const QueueKind& kind) const;

  /// Its name in the list, with what it costs, and why it is useful.
  void showKind(int index, const QueueKind& kind);

  Reviewer& reviewer_;
  const QueueFeatures& features_;
};

}  // namespace dubito

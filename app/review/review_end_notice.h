// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <tuple>

#include "app/review/queue/queue_progress.h"
#include "app/review/review_notice.h"

namespace dubito {

class Reviewer;

/// Says where the part ends that a queue is about, and where the queue ends; once each. It
/// does not stop a person who continues.
class ReviewEndNotice : public ReviewNotice {
  Q_OBJECT
 public:
  /// `reviewer` must outlive the widget.
  explicit ReviewEndNotice(Reviewer& reviewer, QWidget* parent = nullptr);

  /// Shows or hides itself for the present stage of the queue. `next` lists what else can be done.
  void follow(const std::function<std::vector<Choice>()>& next);

 private:
  /// The last notice: number of the queue, stage, whether items were put off.
  using Told = std::tuple<std::int64_t, QueueStage, bool>;
  [[nodiscard]] QString stageText(QueueStage stage) const;

  Reviewer& reviewer_;
  std::optional<Told> told_;
  bool closed_ = false;  ///< by the person
  QStringList names_;    ///< of the choices
};

}  // namespace dubito

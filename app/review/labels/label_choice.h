// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/jobs/newest_job.h"
#include "app/jobs/worker_thread.h"
#include "app/session/session.h"
#include "core/review/reviewed_labels.h"

namespace dubito {

/// Which labels the results of the session's runs are computed from: the given ones, or the
/// reviewed ones of those runs whose dataset has a label store. Reads and evaluates on a thread of
/// its own; new decisions are looked for by refresh(). GUI thread only.
class LabelChoice : public QObject {
  Q_OBJECT
 public:
  /// Place of the label store of a dataset, whether it exists or not.
  using PlaceOf = std::function<QString(const Dataset&)>;
  /// `session` must outlive this.
  LabelChoice(Session& session, PlaceOf place_of, QObject* parent = nullptr);
  ~LabelChoice() override;

  /// Changes of the run shown by the reviewed labels; none if its dataset has no label store
  /// with a decision about its items.
  [[nodiscard]] const std::optional<ReviewedLabelSource>& source() const { return source_; }
  [[nodiscard]] bool reviewed() const { return reviewed_; }
  void setReviewed(bool reviewed);
  /// Looks for new decisions, and applies them to all runs if reviewed() is set.
  void refresh();
  [[nodiscard]] bool busy() const { return job_.busy(); }

 Q_SIGNALS:
  /// source() or reviewed() changed.
  void changed();
  /// The given labels are shown again, and why.
  void failed(const QString& message);

 private:
  /// Label stores that were read, by place.
  using Stores = std::map<std::string, ReviewedLabelsPtr>;
  struct Request;
  struct Answer;

  [[nodiscard]] std::vector<AnalysisPtr> givenAnalyses() const;
  [[nodiscard]] QString placeFor(const AnalysisPart& part) const;
  void followSession();
  void take(const Answer& answer);
  void show(const Answer& answer);
  [[nodiscard]] static Answer find(const Request& request, RunContext& context);

  Session& session_;
  PlaceOf place_of_;
  WorkerThread thread_;  ///< outlives the job
  NewestJob job_;
  bool reviewed_ = false;
  std::optional<ReviewedLabelSource> source_;
  Stores stores_;
  std::vector<AnalysisPtr> known_;  ///< evaluated with reviewed labels
  /// Analyses with given labels, and the position of the one shown, that refresh() looked at last.
  std::vector<AnalysisPtr> seen_;
  int seen_active_ = -1;
};

}  // namespace dubito

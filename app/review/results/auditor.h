// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <cstdint>

#include "app/jobs/newest_job.h"
#include "app/jobs/worker_thread.h"
#include "app/review/queue/review_queue.h"
#include "core/review/audit.h"

namespace dubito {

/// Key of the queue of an audit.
inline constexpr const char* kAuditQueue = "audit";

/// The result of an audit so far, as one sentence for annotators: how many labels were right, and
/// whether the guarantee held.
[[nodiscard]] QString auditText(const Audit& audit, const AuditOptions& options);

/// Checks a random sample of the labels of the model: draws it, opens it as the queue, and follows
/// every decision. GUI thread only.
class Auditor : public QObject {
  Q_OBJECT
 public:
  /// Both must outlive this.
  Auditor(ReviewQueue& queue, const LabelFile& file, QObject* parent = nullptr);
  ~Auditor() override;

  /// Reads the labels of the model again, in the background.
  void refresh();
  /// Share of right labels that was guaranteed.
  void setTarget(double target);
  /// Number of labels to check. A larger sample contains the smaller one.
  void setSample(std::int64_t sample);
  /// The sample becomes the queue.
  void open();

  [[nodiscard]] const AuditOptions& options() const { return options_; }
  [[nodiscard]] const Audit& audit() const { return audit_; }
  [[nodiscard]] bool busy() const { return job_.busy(); }

 Q_SIGNALS:
  void changed();
  void failed(const QString& message);

 private:
  /// The outcomes after a decision; the sample stays.
  void follow();
  void show();
  [[nodiscard]] bool isOpen() const { return queue_.key() == kAuditQueue; }

  ReviewQueue& queue_;
  const LabelFile& file_;
  WorkerThread thread_;  ///< outlives the job
  NewestJob job_;
  AuditOptions options_;
  Audit audit_;
};

}  // namespace dubito

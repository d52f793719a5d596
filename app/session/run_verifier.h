// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <deque>
#include <memory>
#include <set>
#include <string>

#include "app/jobs/job.h"
#include "app/jobs/worker_thread.h"
#include "app/session/session.h"

namespace dubito {

/// Verifies the checksums of opened run files in the background, one after another, because opening
/// a file checks only its small arrays. A run from a damaged file gets a note as a permanent
/// warning. Runs computed in this session and saved afterwards are skipped.
class RunVerifier : public QObject {
  Q_OBJECT
 public:
  /// `session` must outlive the verifier.
  explicit RunVerifier(Session& session, QObject* parent = nullptr);
  /// Cancels running jobs.
  ~RunVerifier() override;

  /// True while files are being verified or waiting to be verified.
  [[nodiscard]] bool busy() const;

 Q_SIGNALS:
  /// A file is damaged or cannot be read. `message` states the file, the arrays and what to do.
  void failed(const QString& message);

 private:
  using RunPtr = std::shared_ptr<const Run>;

  void enqueueNew();
  void startNext();
  void report(const RunPtr& run, const Error& error);
  /// Replaces `run` with a copy that has an additional note.
  void addNote(const RunPtr& run, const std::string& note);
  /// The open analysis that contains `run`; null if it was closed.
  [[nodiscard]] AnalysisPtr analysisOf(const RunPtr& run) const;

  Session& session_;
  WorkerThread thread_;  ///< outlives the jobs on it
  Job verify_job_;
  Job note_job_;
  std::set<std::weak_ptr<const Run>, std::owner_less<>> seen_;
  std::deque<std::weak_ptr<const Run>> waiting_;
};

}  // namespace dubito

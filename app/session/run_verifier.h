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

/// Compares the files of runs with their checksums in the background, one after another, once they
/// are open: opening compares small arrays alone. A damaged run gets a note, which warns of it from
/// then on. Runs that were computed here and saved afterwards are left out.
class RunVerifier : public QObject {
  Q_OBJECT
 public:
  /// `session` outlives the verifier.
  explicit RunVerifier(Session& session, QObject* parent = nullptr);
  /// Cancels what runs.
  ~RunVerifier() override;

  /// Some file is still to be compared.
  [[nodiscard]] bool busy() const;

 Q_SIGNALS:
  /// A file is damaged, or cannot be read; names the file, the arrays and the remedy.
  void failed(const QString& message);

 private:
  using RunPtr = std::shared_ptr<const Run>;

  void takeNew();
  void next();
  void report(const RunPtr& run, const Error& error);
  /// Puts a copy of the run with one note more into the place of `run`.
  void addNote(const RunPtr& run, const std::string& note);
  /// The analysis that shows `run`; null: it was closed.
  [[nodiscard]] AnalysisPtr analysisOf(const RunPtr& run) const;

  Session& session_;
  WorkerThread thread_;  ///< outlives the jobs on it
  Job verify_job_;
  Job note_job_;
  std::set<std::weak_ptr<const Run>, std::owner_less<>> seen_;
  std::deque<std::weak_ptr<const Run>> waiting_;
};

}  // namespace dubito

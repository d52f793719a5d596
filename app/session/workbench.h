// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSettings>
#include <QString>
#include <QStringList>
#include <deque>
#include <vector>

#include "app/files/open_file.h"
#include "app/files/recent_files.h"
#include "app/jobs/job.h"
#include "app/jobs/worker_thread.h"
#include "app/session/brushing.h"
#include "app/session/compute_queue.h"
#include "app/session/compute_request.h"
#include "app/session/isolated_compute.h"
#include "app/session/session.h"
#include "core/base/memory_budget.h"
#include "core/models/output_choice.h"

namespace dubito {

/// How the next computation is set up: what the compute panel edits.
struct ComputeSettings {
  MethodOptions method = McDropoutOptions{};
  /// Analyses that are joined to an ensemble in place of a method; empty: the method computes.
  std::vector<AnalysisPtr> members;
  /// OOD datasets of the session that take no part.
  std::vector<DatasetPtr> ood_left_out;
  /// What the method is fitted on; what is evaluated is filled in by compute().
  MethodData data;
  PredictOptions predict;
  EvaluationOptions evaluation;
  std::uint64_t seed = 0;
  Device device;
  MemoryOptions memory;
  /// Predict in a process of its own, where that is possible.
  bool isolated = false;
};

/// Carries out what the window is asked for: opens files, computes, lists items, each as a job on a
/// worker thread, and puts the results into the session. Its signals say what to show.
class Workbench : public QObject {
  Q_OBJECT
 public:
  /// `settings` keep the recent files and must outlive this.
  Workbench(Session& session, QSettings& settings, QObject* parent = nullptr);
  ~Workbench() override;

  [[nodiscard]] Session& session() { return session_; }
  [[nodiscard]] RecentFiles& recentFiles() { return recent_; }
  /// Where torch runs; others may queue short work on it.
  [[nodiscard]] WorkerThread& computeThread() { return compute_thread_; }
  /// Where files are read and written.
  [[nodiscard]] WorkerThread& fileThread() { return file_thread_; }
  [[nodiscard]] int threads() const { return threads_; }
  /// For work on the network outside queue(): as the Compute panel has it.
  [[nodiscard]] JobSettings jobSettings() const;

  /// Opens all in the background; what fails is reported one by one. A workspace is asked for with
  /// workspaceRequested.
  void open(const std::vector<OpenRequest>& requests);
  /// Opens the embedded demo and computes as soon as it is there. Reports where it is missing.
  void openDemo();
  /// Writes the metadata next to a model that is open, and opens the model again with it.
  void saveModelMetadata(const ModelPtr& model, const ModelMetadata& metadata);
  /// Writes next to a model which of the tensors that it returns has the class scores, and opens
  /// it; after outputChoiceNeeded.
  void openWithOutput(const std::string& path, const std::string& key);
  /// Closes what belongs to the embedded demo, with its runs and what is computed of it unasked.
  void closeDemo();
  /// Gives up what the window computes or is about to compute by itself.
  void dropUnwanted();
  /// Opens the files of `before` again by `specification`, in its place; one dataset after the
  /// other.
  void reopenDataset(const DatasetPtr& before, const QString& name,
                     const std::string& specification);

  /// Whether compute() would start, and in a sentence why not; `ensemble`: for members alone.
  [[nodiscard]] bool canCompute(QString* reason = nullptr, bool ensemble = false) const;
  /// Finds out what compute() would take; `estimated` tells it, unless something is asked for or
  /// started before it is known.
  void estimate(const ComputeSettings& settings);
  /// What is being found out is not wanted any more.
  void dropEstimate() { estimate_job_.abandon(); }
  /// Why the computation, or that of an ensemble, would not get a process of its own, in a
  /// sentence; empty: it would.
  [[nodiscard]] QString whyNotIsolated(const ComputeSettings& settings, bool ensemble) const;
  /// Remembered for the next start of the program.
  void setIsolated(bool isolated);
  /// The program that computes in a process of its own, in place of dubito-cli beside this one.
  void setCliProgram(const std::string& path) { cli_program_ = path; }
  /// Computes on the session's chosen model and datasets, or on the members of an ensemble; waits
  /// in queue() while something else is computed.
  void compute(const ComputeSettings& settings);
  /// Evaluates the active analysis again.
  void reevaluate(const EvaluationOptions& options);

  [[nodiscard]] Brushing& brushing() { return brushing_; }
  [[nodiscard]] const Brushing& brushing() const { return brushing_; }

  [[nodiscard]] const ComputeSettings& settings() const { return compute_settings_; }
  void setSettings(const ComputeSettings& settings) { compute_settings_ = settings; }

  /// Cancels what runs; files that wait to be opened are dropped.
  void cancel();
  void stopEarly();
  [[nodiscard]] bool busy() const;
  /// Something that was asked for is computed or waits to be; the demo comes back by itself.
  [[nodiscard]] bool hasUserRequestedWork() const;
  /// Whether what a job makes is missed if it is cancelled.
  enum class Outcome { kRepeatable, kWanted };
  /// Counts `job` among its own as long as it lives: its progress is shown, cancel() ends it.
  void watch(Job& job, Outcome outcome = Outcome::kRepeatable);
  /// What the next jobFinished says.
  void setDoneText(const QString& text) { last_text_ = text; }
  /// What is computed, and what waits for it.
  [[nodiscard]] ComputeQueue& queue() { return queue_; }
  [[nodiscard]] const Job& computeJob() const { return queue_.job(); }

 Q_SIGNALS:
  /// "about 12 s, 340 MB of results"; empty where it cannot be told.
  void estimated(const QString& text);
  void jobStarted(const QString& title);
  void jobProgress(const dubito::Progress& progress);
  /// Nothing runs any more; `text` says what was done.
  void jobFinished(const QString& text);
  /// `message` names the thing, the reason and the remedy.
  void failed(const QString& message);
  /// Something a reader of the numbers must know, though it went well.
  void noticed(const QString& message);
  /// A model or dataset of the user's own is open next to the demo, whose OOD datasets would join
  /// its runs.
  void demoConflictFound();
  /// The model at `path` was refused because somebody has to choose among these.
  void outputChoiceNeeded(const QString& path, const std::vector<dubito::OutputOption>& options);
  /// saveModelMetadata() has put `now` into the place of `before`.
  void metadataSaved(const dubito::ModelPtr& before, const dubito::ModelPtr& now);
  /// An analysis was computed or opened.
  void analysed();
  void workspaceRequested(const QString& path);
  /// queue() or hasUserRequestedWork() changed.
  void computingChanged();

 private:
  struct Reopening {
    DatasetPtr before;
    QString name;
    std::string specification;
  };
  void startReopening();
  void startOpening();
  void takeOpened(const std::vector<OpenResult>& results);
  [[nodiscard]] ComputeRequest requestOf(const ComputeSettings& settings) const;
  /// Not `wanted`: the window computes it by itself, as it does the demo.
  void startComputing(const ComputeSettings& settings, bool wanted);
  void takeRun(const OpenResult& result, const OpenedRun& opened);
  /// The result takes the place of `base`, or is a new one where that is null.
  void startAnalysing(std::vector<AnalysisPart> parts, const AnalysisPtr& base);
  void takeAnalysis(const Expected<AnalysisPtr>& analysis, const AnalysisPtr& base, double seconds);
  void listItems();
  void report(const Error& error);
  /// Begins with a method that suits a newly chosen model, unless another one was chosen.
  void selectSuitableMethod();

  Session& session_;
  QSettings& stored_;
  RecentFiles recent_;
  int threads_;
  ComputeSettings compute_settings_;
  std::string cli_program_;

  std::vector<Job*> watched_;  ///< outlives them
  std::vector<Job*> wanted_;   ///< those of watched_ whose outcome is

  ChildReaper child_reaper_;  ///< outlives the thread that starts children
  // The threads outlive the jobs on them.
  WorkerThread compute_thread_;
  WorkerThread file_thread_;
  WorkerThread list_thread_;
  ComputeQueue queue_;
  Job estimate_job_;
  Job open_job_;
  Job model_job_;
  Job metadata_job_;
  Job reopen_job_;
  Job analyse_job_;
  Job list_job_;
  Brushing brushing_;

  std::deque<std::vector<OpenRequest>> waiting_to_open_;
  std::deque<Reopening> waiting_to_reopen_;
  std::deque<std::function<void()>> waiting_to_analyse_;
  bool compute_when_opened_ = false;
  std::weak_ptr<const Model> suited_model_;  ///< the one that selectSuitableMethod() has seen last
  std::string suited_method_;                ///< methodJson of what suits it
  QString last_text_;
};

}  // namespace dubito

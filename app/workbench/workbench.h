// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <QSettings>
#include <QString>
#include <QStringList>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/files/open_file.h"
#include "app/files/open_model.h"
#include "app/files/recent_files.h"
#include "app/jobs/job.h"
#include "app/jobs/worker_thread.h"
#include "app/session/session.h"
#include "app/workbench/brushing.h"
#include "app/workbench/compute_queue.h"
#include "app/workbench/compute_request.h"
#include "app/workbench/isolated_compute.h"
#include "core/base/memory_budget.h"
#include "core/models/output_choice.h"

namespace dubito {

/// Settings of the next computation, edited in the Compute panel.
struct ComputeSettings {
  MethodOptions method = McDropoutOptions{};
  /// If not empty, these analyses are combined into an ensemble instead of running `method`.
  std::vector<AnalysisPtr> members;
  /// OOD datasets of the session that are not predicted.
  std::vector<DatasetPtr> excluded_ood;
  /// Data to fit the method on; compute() adds the evaluated datasets.
  MethodData data;
  PredictOptions predict;
  EvaluationOptions evaluation;
  std::uint64_t seed = 0;
  Device device;
  MemoryOptions memory;
  /// Predict in a separate process if possible.
  bool isolated = false;
};

/// Carries out the requests of the window (opening files, computing, listing items) as jobs on
/// worker threads and stores the results in the session. Signals report progress, results and
/// errors.
class Workbench : public QObject {
  Q_OBJECT
 public:
  /// `settings` stores the recent files; both arguments must outlive this object.
  Workbench(Session& session, QSettings& settings, QObject* parent = nullptr);
  ~Workbench() override;

  [[nodiscard]] Session& session() { return session_; }
  [[nodiscard]] RecentFiles& recentFiles() { return recent_; }
  /// Thread on which torch runs; other short work may be queued on it.
  [[nodiscard]] WorkerThread& computeThread() { return compute_thread_; }
  /// Thread for reading and writing files.
  [[nodiscard]] WorkerThread& fileThread() { return file_thread_; }
  [[nodiscard]] int threads() const { return threads_; }
  /// Job settings from the Compute panel, for jobs outside queue() that run the network.
  [[nodiscard]] JobSettings jobSettings() const;

  /// How networks are opened, with the files that were opened before. Networks of unknown origin
  /// are first opened by a confined process, unless the setting models/confine_unknown is false.
  [[nodiscard]] ModelOpening modelOpening();
  /// Opens the file of a network without that from now on, as long as it does not change.
  void rememberModel(const std::string& path);

  /// Opens all files in the background and reports each failure with failed(). A label file and a
  /// folder are labels and their images. For a workspace,
  /// emits workspaceRequested, for the folder of a study studyRequested.
  void open(const std::vector<OpenRequest>& requests);
  /// Opens `specification` and gives its images to the run shown, which has none
  /// (dubito::attachImages()); failed() names the reason if they do not fit.
  void attachImages(const std::string& specification);
  /// The given labels of the active dataset become a run, so that they can be reviewed without a
  /// network: labelsOpened() follows, or failed().
  void reviewDataset();
  /// Opens the embedded demo, then starts a computation. Emits failed() if the demo is missing.
  void openDemo();
  /// Writes `metadata` next to the file of an open model and reopens the model with it.
  void saveModelMetadata(const ModelPtr& model, const ModelMetadata& metadata);
  /// Answers inputSizeNeeded: the metadata of the network get this input size, then compute() is
  /// called as before. The shorter side is resized, and the rest cut off on both sides.
  void resizeImages(const ModelPtr& model, std::int64_t height, std::int64_t width);
  /// Answers outputChoiceNeeded: records next to the model at `path` that the returned tensor `key`
  /// contains the class scores, and opens the model.
  void openWithOutput(const std::string& path, const std::string& key);
  /// Closes the embedded demo and its runs, and cancels its automatic computation.
  void closeDemo();
  /// Cancels running and pending computations that the user did not request.
  void cancelAutomaticWork();
  /// Opens `specification` and replaces `before` with it in the list. Requests are carried out one
  /// after another.
  void reopenDataset(const DatasetPtr& before, const QString& name,
                     const std::string& specification);

  /// Whether compute() can start. If not, sets `reason` to a message for the user. `ensemble`: ask
  /// about combining runs, which needs no model and no dataset.
  [[nodiscard]] bool canCompute(QString* reason = nullptr, bool ensemble = false) const;
  /// Estimates the time and the result size of compute() in the background and emits estimated(),
  /// unless another estimate or computation is started first.
  void estimate(const ComputeSettings& settings);
  /// Abandons a running estimate.
  void dropEstimate() { estimate_job_.abandon(); }
  /// Why the computation cannot run in a separate process, as a message for the user; empty if it
  /// can. `ensemble`: runs are to be combined.
  [[nodiscard]] QString whyNotIsolated(const ComputeSettings& settings, bool ensemble) const;
  /// Stores whether to predict in a separate process, also for later starts of the program.
  void setIsolated(bool isolated);
  /// Sets the program that computes in a separate process. Default: dubito-cli in the folder of
  /// this program.
  void setCliProgram(const std::string& path) { cli_program_ = path; }
  /// Adds a computation to queue(): predicts the session's datasets with its active model, or
  /// combines the members of an ensemble.
  void compute(const ComputeSettings& settings);
  /// Evaluates the active analysis again with `options`.
  void reevaluate(const EvaluationOptions& options);

  [[nodiscard]] Brushing& brushing() { return brushing_; }
  [[nodiscard]] const Brushing& brushing() const { return brushing_; }

  [[nodiscard]] const ComputeSettings& settings() const { return compute_settings_; }
  void setSettings(const ComputeSettings& settings) { compute_settings_ = settings; }

  /// Cancels all jobs and drops files waiting to be opened.
  void cancel();
  void stopEarly();
  [[nodiscard]] bool busy() const;
  /// Whether the items of the listing are being found and sorted. Until then it has the old ones.
  [[nodiscard]] bool isListing() const { return isActive(list_job_.state()); }
  /// Whether work requested by the user is running or waiting; the demo does not count.
  [[nodiscard]] bool hasUserRequestedWork() const;
  /// Whether the user would miss the result of a cancelled job (kWanted) or not (kRepeatable).
  enum class Outcome { kRepeatable, kWanted };
  /// Registers `job` for progress and cancellation until it is destroyed.
  void watch(Job& job, Outcome outcome = Outcome::kRepeatable);
  /// Sets the text of the next jobFinished signal.
  void setDoneText(const QString& text) { last_text_ = text; }
  /// Running and waiting computations.
  [[nodiscard]] ComputeQueue& queue() { return queue_; }
  [[nodiscard]] const Job& computeJob() const { return queue_.job(); }

 Q_SIGNALS:
  /// Result of estimate(): "about 12 s, 340 MB of results"; empty if unknown.
  void estimated(const QString& text);
  void jobStarted(const QString& title);
  void jobProgress(const dubito::Progress& progress);
  /// All jobs have ended; `text` states the result.
  void jobFinished(const QString& text);
  /// `message` states the file or object concerned, the reason and what to do.
  void failed(const QString& message);
  /// The cause of `message`, which failed() reported, is gone: the file was opened, or the
  /// computation has succeeded.
  void withdrawn(const QString& message);
  /// A note on a successful result that affects its interpretation.
  void noticed(const QString& message);
  /// A model or dataset of the user is open in addition to the demo, so the OOD datasets of the
  /// demo would be included in the user's runs.
  void demoConflictFound();
  /// The model at `path` could not be opened, because the user must choose the output tensor that
  /// contains the class scores.
  void outputChoiceNeeded(const QString& path, const std::vector<dubito::OutputOption>& options);
  /// The images have no common size, or are too large, and `model` states none: `message`, which
  /// failed() reported, says so.
  void inputSizeNeeded(const QString& message, const dubito::ModelPtr& model);
  /// Lines of Python that remove the cause of `message`, which failed() reported.
  void linesOffered(const QString& message, const QString& lines);
  /// saveModelMetadata() has replaced `before` with `now`.
  void metadataSaved(const dubito::ModelPtr& before, const dubito::ModelPtr& now);
  /// An analysis was computed or opened.
  void analysed();
  void workspaceRequested(const QString& path);
  void studyRequested(const QString& folder);
  /// The labels of another program can be reviewed: their run is the active analysis. `store`: the
  /// label store to go on in; empty: the usual one.
  void labelsOpened(const QString& store);
  /// The labels `specification` were read, but their images were not found, as `message` says.
  void imagesNeeded(const QString& specification, const QString& message);
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
  void addOpened(const std::vector<OpenResult>& results);
  [[nodiscard]] ComputeRequest requestOf(const ComputeSettings& settings) const;
  /// `wanted`: true if requested by the user, false if automatic (the demo).
  void startComputing(const ComputeSettings& settings, bool wanted);
  void addOpenedRun(const OpenResult& result, const OpenedRun& opened);
  /// Shows the labels of another program that are open already; false: they are not.
  bool showOpenLabels(const OpenedRun& opened);
  /// Lists the images of opened labels, so that a network can look at them.
  void addImagesOf(const QString& name, const OpenedRun& opened);
  void startNextAnalysis();
  /// Evaluates `parts`. The result replaces `base`, or is added if `base` is null.
  void startAnalysing(std::vector<AnalysisPart> parts, const AnalysisPtr& base);
  /// Opens a label store again with the images in the folder where they were found before; false
  /// if the error is another, or if no such folder is known.
  bool openWithKnownImages(const OpenResult& result);
  void rememberImages(const OpenRequest& request, const OpenedRun& opened);
  /// Emits labelsOpened() if `analysis` is of labels.
  void offerReview(const Analysis& analysis);
  void handleAnalysis(const Expected<AnalysisPtr>& analysis, const AnalysisPtr& base,
                      double seconds);
  void listItems();
  void report(const Error& error);
  /// Selects a suitable method for a newly selected model, unless the user has chosen one.
  void selectSuitableMethod();

  Session& session_;
  QSettings& stored_;
  RecentFiles recent_;
  int threads_;
  ComputeSettings compute_settings_;
  std::string cli_program_;

  std::vector<Job*> watched_;  ///< must outlive the jobs, so it is declared first
  std::vector<Job*> wanted_;   ///< jobs in watched_ with Outcome::kWanted

  ChildReaper child_reaper_;  ///< outlives the thread that starts children
  // The threads outlive the jobs on them.
  WorkerThread compute_thread_;
  WorkerThread file_thread_;
  WorkerThread list_thread_;
  ComputeQueue queue_;
  Job estimate_job_;
  Job open_job_;
  Job model_job_;
  QHash<QString, QString> not_opened_;  ///< messages by specification, until it is opened
  QString not_computed_;                ///< the message of the last computation, if it failed
  Job metadata_job_;
  Job reopen_job_;
  Job attach_job_;
  Job analyse_job_;
  Job list_job_;
  Brushing brushing_;

  std::deque<std::vector<OpenRequest>> waiting_to_open_;
  std::deque<Reopening> waiting_to_reopen_;
  std::deque<std::function<void()>> waiting_to_analyse_;
  bool compute_when_opened_ = false;
  std::weak_ptr<const Model> suited_model_;  ///< last model passed to selectSuitableMethod()
  std::string suited_method_;  ///< methodJson of the method selected for suited_model_
  QString last_text_;
  /// Label stores of opened labels that are being evaluated.
  std::map<std::weak_ptr<const Run>, std::string, std::owner_less<>> stores_;
};

}  // namespace dubito

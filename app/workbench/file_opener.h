// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <QSettings>
#include <QString>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/files/open_file.h"
#include "app/files/open_model.h"
#include "app/files/recent_files.h"
#include "app/jobs/window_jobs.h"
#include "app/session/messages.h"
#include "app/session/session.h"
#include "app/workbench/run_computer.h"
#include "app/workbench/run_evaluator.h"
#include "core/models/output_choice.h"

namespace dubito {

/// Opens files in the background and puts what they contain into the session.
class FileOpener : public QObject {
  Q_OBJECT
 public:
  /// All arguments must outlive this object. `stored` remembers the recent files, networks that
  /// were opened before, and the folders of images.
  FileOpener(Session& session, WindowJobs& jobs, Messages& messages, RunEvaluator& evaluator,
             RunComputer& computer, QSettings& stored, QObject* parent = nullptr);

  [[nodiscard]] RecentFiles& recentFiles() { return recent_; }
  /// How networks are opened, with the files that were opened before. Networks of unknown origin
  /// are first opened by a confined process, unless the setting models/confine_unknown is false.
  [[nodiscard]] ModelOpening modelOpening();
  /// Opens the file of a network without that from now on, as long as it does not change.
  void rememberModel(const std::string& path);

  /// Opens all files and reports each failure, also while something is computed. A label file and a
  /// folder are labels and their images. For a workspace, emits workspaceRequested, for the folder
  /// of a study studyRequested, for a file of the laboratories labRequested.
  void open(const std::vector<OpenRequest>& requests);
  /// Names of networks that cannot be opened next to a computation, and so are opened after it.
  [[nodiscard]] std::vector<QString> afterTheRun() const;
  /// Opens `specification` and gives its images to the run shown, which has none
  /// (dubito::attachImages()); the reason is reported if they do not fit.
  void attachImages(const std::string& specification);
  /// The given labels of the active dataset become a run, so that they can be reviewed without a
  /// network: RunEvaluator::labelsOpened() follows, or an error is reported.
  void reviewDataset();
  /// Opens the embedded demo, then starts a computation. Reports if the demo is missing.
  void openDemo();
  /// Closes the embedded demo and its runs, and cancels its automatic computation.
  void closeDemo();
  /// Cancels computations that the user did not request, also the one that openDemo() would start
  /// when its files are open.
  void cancelAutomaticWork();
  /// Writes `metadata` next to the file of an open model and reopens the model with it.
  void saveModelMetadata(const ModelPtr& model, const ModelMetadata& metadata);
  /// Answers RunComputer::inputSizeNeeded: the metadata of the network get this input size, then
  /// it is computed as before. The shorter side is resized, and the rest cut off on both sides.
  void resizeImages(const ModelPtr& model, std::int64_t height, std::int64_t width);
  /// Answers outputChoiceNeeded: records next to the model at `path` that the returned tensor `key`
  /// contains the class scores, and opens the model.
  void openWithOutput(const std::string& path, const std::string& key);
  /// Opens `specification` and replaces `before` with it in the list. Requests are carried out one
  /// after another.
  void reopenDataset(const DatasetPtr& before, const QString& name,
                     const std::string& specification);

 Q_SIGNALS:
  /// A model or dataset of the user is open in addition to the demo, so the OOD datasets of the
  /// demo would be included in the user's runs.
  void demoConflictFound();
  /// afterTheRun() changed.
  void waitingChanged();
  /// The model at `path` could not be opened, because the user must choose the output tensor that
  /// contains the class scores.
  void outputChoiceNeeded(const QString& path, const std::vector<dubito::OutputOption>& options);
  /// saveModelMetadata() has replaced `before` with `now`.
  void metadataSaved(const dubito::ModelPtr& before, const dubito::ModelPtr& now);
  void workspaceRequested(const QString& path);
  void studyRequested(const QString& folder);
  /// A preset or a story of the laboratories is to be shown.
  void labRequested(const QString& path);
  /// The labels `specification` were read, but their images were not found, as `message` says.
  void imagesNeeded(const QString& specification, const QString& message);

 private:
  struct Reopening {
    DatasetPtr before;
    QString name;
    std::string specification;
  };
  using Loading = std::function<Expected<ModelPtr>(RunContext& context, bool shares_torch)>;
  /// Loads a network on the compute thread if that is free, else next to what it computes, or after
  /// that if need be. False if another one is being loaded.
  bool loadAgain(const QString& title, Loading load, Job::Deliver<ModelPtr> deliver);
  void startReopening();
  void startOpening();
  void openAfterTheRun(const OpenRequest& request);
  void startLate();
  void addOpened(const std::vector<OpenResult>& results);
  void addOpenedRun(const OpenResult& result, const OpenedRun& opened);
  /// Shows the labels of another program that are open already; false: they are not.
  bool showOpenLabels(const OpenedRun& opened);
  /// Lists the images of opened labels, so that a network can look at them.
  void addImagesOf(const QString& name, const OpenedRun& opened);
  /// Opens a label store again with the images in the folder where they were found before; false
  /// if the error is another, or if no such folder is known.
  bool openWithKnownImages(const OpenResult& result);
  void withdrawDatasetNotes();
  void rememberImages(const OpenRequest& request, const OpenedRun& opened);

  Session& session_;
  WindowJobs& jobs_;
  Messages& messages_;
  RunEvaluator& evaluator_;
  RunComputer& computer_;
  QSettings& stored_;
  RecentFiles recent_;
  Job open_job_;
  Job model_job_;  ///< opens requests with networks while nothing is computed
  Job late_job_;   ///< opens after_the_run_
  Job metadata_job_;
  Job sharing_metadata_job_;  ///< the same as metadata_job_, next to a computation
  Job reopen_job_;
  Job attach_job_;
  QHash<QString, QString> not_opened_;  ///< messages by specification, until it is opened
  QHash<QString, QString> not_saved_;   ///< messages by path of a model, until it is saved
  /// Notes on how datasets were opened, until these are closed.
  std::vector<std::pair<std::weak_ptr<const Dataset>, QString>> dataset_notes_;
  std::deque<std::vector<OpenRequest>> waiting_to_open_;
  /// Networks that wait for the compute thread; late_job_ has the first one.
  std::deque<std::shared_ptr<const OpenRequest>> after_the_run_;
  std::deque<Reopening> waiting_to_reopen_;
  bool compute_when_opened_ = false;
};

}  // namespace dubito

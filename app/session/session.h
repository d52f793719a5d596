// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "app/session/item_listing.h"
#include "app/session/plot_state.h"
#include "app/session/run_files.h"
#include "app/session/run_labels.h"
#include "app/session/shift_result.h"
#include "app/session/view_json.h"
#include "core/analysis/analysis.h"

namespace dubito {

/// A model as listed in the workspace.
struct ModelEntry {
  QString name;
  ModelPtr model;
  bool demo = false;  ///< part of the embedded demo
};

/// A dataset as listed in the workspace.
struct DatasetEntry {
  QString name;
  DatasetPtr dataset;
  bool ood = false;
  bool demo = false;  ///< part of the embedded demo
  /// The dataset before a user marked it as OOD; null if it was opened as OOD.
  DatasetPtr before_ood = nullptr;
};

/// True if a dataset can be evaluated: it is neither OOD nor for training or calibration.
[[nodiscard]] bool isForEvaluation(const DatasetEntry& entry);

/// The state shared by all pages and panels: open models, datasets and runs, and what is selected.
/// Computes nothing. GUI thread only.
class Session : public QObject {
  Q_OBJECT
 public:
  explicit Session(QObject* parent = nullptr);
  ~Session() override;

  // Add an entry and return its position. A model or analysis becomes the active one, and so does a
  // dataset if it can be evaluated.
  std::size_t addModel(const QString& name, ModelPtr model, bool demo = false);
  std::size_t addDataset(const QString& name, DatasetPtr dataset, bool ood, bool demo = false);
  std::size_t addAnalysis(AnalysisPtr analysis);
  /// Replaces an analysis with a new version, for example with more OOD runs, and shows it.
  void replaceAnalysis(std::size_t position, AnalysisPtr analysis);
  /// Replaces the listed analyses by the same ones with given or reviewed labels, in the order of
  /// the list. Returns false and changes nothing if others are listed now.
  bool setLabelled(std::vector<AnalysisPtr> labelled);
  /// Replaces `before`, if it is still open, with the same network with different metadata. Runs
  /// computed with `before` keep it.
  void replaceModel(const ModelPtr& before, const QString& name, ModelPtr model);
  /// Replaces `before` with `dataset`: the same files with a different role or different items. Its
  /// role determines whether it is OOD. Returns false if `before` is no longer open.
  bool replaceDataset(const DatasetPtr& before, const QString& name, DatasetPtr dataset);
  /// Closes the embedded demo and its runs.
  void closeDemo();
  [[nodiscard]] bool hasDemo() const;
  // Closing a model or dataset keeps the runs computed from it.
  void removeModel(std::size_t position);
  void removeDataset(std::size_t position);
  void removeAnalysis(std::size_t position);
  /// Reopens the unsaved runs that were closed last. Runs closed together are reopened together.
  void reopenClosed();
  [[nodiscard]] bool canReopenClosed() const { return !closed_.empty(); }
  /// Closes everything. reopenClosed() cannot undo this.
  void clear();
  /// Marks a dataset as out of distribution, or restores the original dataset. An OOD dataset has
  /// the role OOD and no known labels.
  void setOod(std::size_t dataset, bool ood);

  [[nodiscard]] const std::vector<ModelEntry>& models() const { return models_; }
  [[nodiscard]] const std::vector<DatasetEntry>& datasets() const { return datasets_; }
  [[nodiscard]] const std::vector<AnalysisPtr>& analyses() const { return analyses_; }

  [[nodiscard]] RunFiles& runFiles() { return run_files_; }
  [[nodiscard]] const RunFiles& runFiles() const { return run_files_; }
  /// Whether any run of `analysis` is unsaved work.
  [[nodiscard]] bool isUnsaved(const Analysis& analysis) const;

  /// Name and note of an analysis, set by the user.
  [[nodiscard]] RunLabel runLabel(std::size_t position) const;
  void setRunLabel(std::size_t position, const RunLabel& label);

  /// Listed runs that were repeated on corrupted images, one result per run and corruption.
  [[nodiscard]] const std::vector<ShiftResultPtr>& shifts() const { return shifts_; }
  /// Adds a result, in place of that of the same run and corruption.
  void addShift(const ShiftResultPtr& result);
  /// Forgets the results of runs that are not listed any more.
  void dropClosedShifts();

  // Inputs of a computation: the active model, the active in-distribution dataset and all OOD
  // datasets. Pointers are null and positions -1 if none is active.
  [[nodiscard]] ModelPtr activeModel() const;
  [[nodiscard]] int activeModelPosition() const { return active_model_; }
  void setActiveModel(int position);
  [[nodiscard]] DatasetPtr activeDataset() const;
  [[nodiscard]] int activeDatasetPosition() const { return active_dataset_; }
  void setActiveDataset(int position);
  [[nodiscard]] std::vector<DatasetEntry> oodDatasets() const;

  /// The dataset that the user browses on the Images page instead of the run's items. If null, the
  /// page shows the run's items or, without a run, the active dataset.
  [[nodiscard]] const DatasetPtr& browsed() const { return browsed_; }
  /// Browses the dataset at `position`, which becomes the active one if it can be evaluated.
  void browse(int position);
  /// Shows the run's items again.
  void endBrowsing();
  /// The dataset whose images are shown: the browsed one or, without a run, the active one. Null if
  /// the items of a run are shown.
  [[nodiscard]] DatasetPtr shownDataset() const;
  /// Position in shownDataset() of the item that was clicked last.
  [[nodiscard]] std::int64_t browsedItem() const { return browsed_item_; }
  void setBrowsedItem(std::int64_t item);

  /// The analysis that the pages show (the "run shown"); null if there is none.
  [[nodiscard]] AnalysisPtr activeAnalysis() const;
  [[nodiscard]] int activeAnalysisPosition() const { return active_analysis_; }
  void setActiveAnalysis(int position);

  /// The listed items of the active analysis.
  [[nodiscard]] ItemListing& listing() { return listing_; }
  [[nodiscard]] const ItemListing& listing() const { return listing_; }
  /// State of the plots of the active analysis.
  [[nodiscard]] PlotState& plots() { return plots_; }
  [[nodiscard]] const PlotState& plots() const { return plots_; }

  /// Lists the items of all groups in a bin of the reliability diagram.
  void selectReliabilityBin(int bin);
  /// Applies a saved view to the active analysis, as far as possible.
  void restoreView(const SessionView& view);
  /// Moves by `step` items in the list or in the dataset shown, stopping at the ends.
  void moveShownItem(qint64 step);

 Q_SIGNALS:
  void workspaceChanged();
  /// Unsaved runs were closed. reopenClosed() restores them.
  void unsavedRunsClosed(const std::vector<dubito::AnalysisPtr>& runs);
  /// The browsed dataset or browsedItem() changed.
  void browsedChanged();
  /// A result was added to shifts().
  void shiftsChanged();
  void activeAnalysisChanged();

 private:
  /// `name`, with a number if another dataset in the role of the newest one has it: lists name the
  /// role next to it.
  [[nodiscard]] QString freeDatasetName(const QString& name) const;
  /// Removes an analysis from the list and returns it; null if there is none at that position.
  AnalysisPtr takeAnalysis(std::size_t position);
  /// Keeps the unsaved ones of `runs` for reopenClosed().
  void keepClosed(std::vector<AnalysisPtr> runs);
  /// Makes the last dataset that can be evaluated the active one; without such a dataset, none.
  void chooseLastDataset();
  /// Shows the analysis at `position`. `before` is the analysis that was shown previously.
  void showAnalysis(int position, const AnalysisPtr& before);

  std::vector<ModelEntry> models_;
  std::vector<DatasetEntry> datasets_;
  std::vector<AnalysisPtr> analyses_;
  std::vector<AnalysisPtr> closed_;  ///< unsaved runs closed last, in list order
  std::vector<ShiftResultPtr> shifts_;
  RunFiles run_files_;
  RunLabels run_labels_;
  int active_model_ = -1;
  int active_dataset_ = -1;
  int active_analysis_ = -1;
  DatasetPtr browsed_;
  std::int64_t browsed_item_ = 0;
  ItemListing listing_;
  PlotState plots_;
};

}  // namespace dubito

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

/// Whether a dataset is for evaluation: neither OOD nor for training or calibration.
[[nodiscard]] bool isForEvaluation(const DatasetEntry& entry);

/// What is open and what is selected: the state shared by all pages and panels. Computes nothing.
/// GUI thread only.
class Session : public QObject {
  Q_OBJECT
 public:
  explicit Session(QObject* parent = nullptr);
  ~Session() override;

  /// An added model, or dataset for evaluation, becomes the active one. Returns its position.
  std::size_t addModel(const QString& name, ModelPtr model, bool demo = false);
  std::size_t addDataset(const QString& name, DatasetPtr dataset, bool ood, bool demo = false);
  std::size_t addAnalysis(AnalysisPtr analysis);
  /// Replaces an analysis and shows the new one (more OOD runs, other bins).
  void replaceAnalysis(std::size_t position, AnalysisPtr analysis);
  /// Replaces `before`, if still open, by the same network with other metadata. Runs of `before`
  /// keep it.
  void replaceModel(const ModelPtr& before, const QString& name, ModelPtr model);
  /// Replaces `before` by the same files with another role or other items. The role decides whether
  /// it is OOD. False if `before` is not open any more.
  bool replaceDataset(const DatasetPtr& before, const QString& name, DatasetPtr dataset);
  /// Closes the embedded demo and its runs.
  void closeDemo();
  [[nodiscard]] bool hasDemo() const;
  // Closing an entry keeps runs computed from it.
  void removeModel(std::size_t position);
  void removeDataset(std::size_t position);
  void removeAnalysis(std::size_t position);
  /// Reopens the unsaved runs that were closed last; together if they were closed together.
  void reopenClosed();
  [[nodiscard]] bool canReopenClosed() const { return !closed_.empty(); }
  /// Closes everything; reopenClosed() cannot undo it.
  void clear();
  /// Marks a dataset as out of distribution, or not. OOD datasets have the role OOD and no known
  /// labels; unmarking restores the original dataset.
  void setOod(std::size_t dataset, bool ood);

  [[nodiscard]] const std::vector<ModelEntry>& models() const { return models_; }
  [[nodiscard]] const std::vector<DatasetEntry>& datasets() const { return datasets_; }
  [[nodiscard]] const std::vector<AnalysisPtr>& analyses() const { return analyses_; }

  [[nodiscard]] RunFiles& runFiles() { return run_files_; }
  [[nodiscard]] const RunFiles& runFiles() const { return run_files_; }
  /// Whether any of its runs is unsaved work.
  [[nodiscard]] bool isUnsaved(const Analysis& analysis) const;

  /// Name and note of an analysis, set by the user.
  [[nodiscard]] RunLabel runLabel(std::size_t position) const;
  void setRunLabel(std::size_t position, const RunLabel& label);

  // Input of Compute: the active model, the active in-distribution dataset and all OOD datasets.
  // Null, or -1, if none.
  [[nodiscard]] ModelPtr activeModel() const;
  [[nodiscard]] int activeModelPosition() const { return active_model_; }
  void setActiveModel(int position);
  [[nodiscard]] DatasetPtr activeDataset() const;
  [[nodiscard]] int activeDatasetPosition() const { return active_dataset_; }
  void setActiveDataset(int position);
  [[nodiscard]] std::vector<DatasetEntry> oodDatasets() const;

  /// The dataset that the Images page shows instead of the run's items; null: shows the run's
  /// items, or without a run the active dataset.
  [[nodiscard]] const DatasetPtr& browsed() const { return browsed_; }
  /// Shows the images of a dataset, which becomes the active one if it is for evaluation.
  void browse(int position);
  /// Back to the run.
  void endBrowsing();
  /// The dataset shown instead of a run: the browsed one, or without a run the active one. Null if
  /// the items of a run are shown.
  [[nodiscard]] DatasetPtr shownDataset() const;
  /// Position in shownDataset() of the item clicked last.
  [[nodiscard]] std::int64_t browsedItem() const { return browsed_item_; }
  void setBrowsedItem(std::int64_t item);

  /// The analysis shown on the pages; null if there is none.
  [[nodiscard]] AnalysisPtr activeAnalysis() const;
  [[nodiscard]] int activeAnalysisPosition() const { return active_analysis_; }
  void setActiveAnalysis(int position);

  /// Which items of the active analysis are listed.
  [[nodiscard]] ItemListing& listing() { return listing_; }
  [[nodiscard]] const ItemListing& listing() const { return listing_; }
  /// Settings of its plots.
  [[nodiscard]] PlotState& plots() { return plots_; }
  [[nodiscard]] const PlotState& plots() const { return plots_; }

  /// Lists the items of a bin of the reliability diagram, of all groups.
  void selectReliabilityBin(int bin);
  /// Restores a saved view of the active analysis, as far as possible.
  void restoreView(const SessionView& view);
  /// Moves `step` items forward in the list, or in the dataset shown, clamped to its ends.
  void moveShownItem(qint64 step);

 Q_SIGNALS:
  void workspaceChanged();
  /// These unsaved runs were closed; reopenClosed() restores them.
  void unsavedRunsClosed(const std::vector<dubito::AnalysisPtr>& runs);
  /// The browsed dataset or browsedItem() changed.
  void browsedChanged();
  void activeAnalysisChanged();

 private:
  /// Removes an analysis from the list and returns it; null if there is none at that position.
  AnalysisPtr takeAnalysis(std::size_t position);
  /// Keeps unsaved ones for reopenClosed().
  void keepClosed(std::vector<AnalysisPtr> runs);
  /// Makes the last dataset for evaluation the active one, or none.
  void chooseLastDataset();
  /// `before` is the analysis shown until now.
  void showAnalysis(int position, const AnalysisPtr& before);

  std::vector<ModelEntry> models_;
  std::vector<DatasetEntry> datasets_;
  std::vector<AnalysisPtr> analyses_;
  std::vector<AnalysisPtr> closed_;  ///< in list order
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

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

/// A model as the workspace lists it.
struct ModelEntry {
  QString name;
  ModelPtr model;
  bool demo = false;  ///< part of the embedded demo
};

/// A dataset as the workspace lists it.
struct DatasetEntry {
  QString name;
  DatasetPtr dataset;
  bool ood = false;
  bool demo = false;  ///< part of the embedded demo
  /// What it was before a user listed it as OOD; null if it was opened so.
  DatasetPtr before_ood = nullptr;
};

/// Whether a dataset is there to be evaluated: not OOD, nor to train or calibrate on.
[[nodiscard]] bool isForEvaluation(const DatasetEntry& entry);

/// What is open and what is chosen: the state that all pages and panels share. Lives on the GUI
/// thread, computes nothing.
class Session : public QObject {
  Q_OBJECT
 public:
  explicit Session(QObject* parent = nullptr);
  ~Session() override;

  /// Adding makes the model, or a dataset that is to be evaluated, the chosen one. Returns its
  /// position.
  std::size_t addModel(const QString& name, ModelPtr model, bool demo = false);
  std::size_t addDataset(const QString& name, DatasetPtr dataset, bool ood, bool demo = false);
  std::size_t addAnalysis(AnalysisPtr analysis);
  /// Puts an analysis in the place of another and shows it (more OOD runs, other bins).
  void replaceAnalysis(std::size_t position, AnalysisPtr analysis);
  /// Puts a model into the place of `before`, if that is still open: the same network with other
  /// metadata. Runs of `before` keep it.
  void replaceModel(const ModelPtr& before, const QString& name, ModelPtr model);
  /// Puts a dataset into the place of `before`, if that is still open: the same files with another
  /// role or choice of items. Its role decides whether it is OOD. False if `before` is not open.
  bool replaceDataset(const DatasetPtr& before, const QString& name, DatasetPtr dataset);
  /// Closes what belongs to the embedded demo, with its runs.
  void closeDemo();
  [[nodiscard]] bool hasDemo() const;
  /// Closes an entry; what was made of it stays.
  void removeModel(std::size_t position);
  void removeDataset(std::size_t position);
  void removeAnalysis(std::size_t position);
  /// Opens the unsaved runs again that were closed last, together if they were closed together.
  void reopenClosed();
  [[nodiscard]] bool canReopenClosed() const { return !closed_.empty(); }
  /// Closes everything, for good.
  void clear();
  /// Marks a dataset as out of distribution, or not. OOD datasets have the role OOD and no known
  /// labels; one that is marked no longer is again the dataset that it was.
  void setOod(std::size_t dataset, bool ood);

  [[nodiscard]] const std::vector<ModelEntry>& models() const { return models_; }
  [[nodiscard]] const std::vector<DatasetEntry>& datasets() const { return datasets_; }
  [[nodiscard]] const std::vector<AnalysisPtr>& analyses() const { return analyses_; }

  [[nodiscard]] RunFiles& runFiles() { return run_files_; }
  [[nodiscard]] const RunFiles& runFiles() const { return run_files_; }
  /// Whether a part of it is unsaved work.
  [[nodiscard]] bool wouldBeLost(const Analysis& analysis) const;

  /// Name and note that a user gave to an analysis.
  [[nodiscard]] RunLabel runLabel(std::size_t position) const;
  void setRunLabel(std::size_t position, const RunLabel& label);

  /// What Compute works on: the chosen model, the chosen in-distribution dataset and every OOD
  /// dataset. Null, or -1, where there is none.
  [[nodiscard]] ModelPtr activeModel() const;
  [[nodiscard]] int activeModelPosition() const { return active_model_; }
  void setActiveModel(int position);
  [[nodiscard]] DatasetPtr activeDataset() const;
  [[nodiscard]] int activeDatasetPosition() const { return active_dataset_; }
  void setActiveDataset(int position);
  [[nodiscard]] std::vector<DatasetEntry> oodDatasets() const;

  /// The dataset whose images the Images page shows in place of the run's; null: the run's, or
  /// without a run those of the chosen dataset.
  [[nodiscard]] const DatasetPtr& browsed() const { return browsed_; }
  /// Shows the images of a dataset, which becomes the chosen one if it is to be evaluated.
  void browse(int position);
  /// Back to the run.
  void endBrowsing();
  /// The dataset that is looked at in place of a run: the one that is browsed, or without a run the
  /// chosen one. Null: the items of the run are.
  [[nodiscard]] DatasetPtr shownDataset() const;
  /// Position in shownDataset() of the item that was clicked last.
  [[nodiscard]] std::int64_t browsedItem() const { return browsed_item_; }
  void setBrowsedItem(std::int64_t item);

  /// The analysis that the pages show; null before the first.
  [[nodiscard]] AnalysisPtr activeAnalysis() const;
  [[nodiscard]] int activeAnalysisPosition() const { return active_analysis_; }
  void setActiveAnalysis(int position);

  /// Which items of the active analysis are listed.
  [[nodiscard]] ItemListing& listing() { return listing_; }
  [[nodiscard]] const ItemListing& listing() const { return listing_; }
  /// How its plots are set.
  [[nodiscard]] PlotState& plots() { return plots_; }
  [[nodiscard]] const PlotState& plots() const { return plots_; }

  /// Lists the items of a bin of the reliability diagram, of all groups.
  void selectReliabilityBin(int bin);
  /// Looks at the active analysis as when `view` was kept, as far as it can be answered.
  void restoreView(const SessionView& view);
  /// Moves `step` items on in the list, or in the dataset that is shown, clamped to its ends.
  void moveShownItem(qint64 step);

 Q_SIGNALS:
  void workspaceChanged();
  /// These runs were closed and are in memory alone; reopenClosed() brings them back.
  void unsavedRunsClosed(const std::vector<dubito::AnalysisPtr>& runs);
  /// Another dataset is browsed, or none, or another of its items was clicked.
  void browsedChanged();
  void activeAnalysisChanged();

 private:
  /// Takes a run out of the list; null if there is none at that position.
  AnalysisPtr takeAnalysis(std::size_t position);
  /// Keeps those that would be lost for reopenClosed().
  void keepClosed(std::vector<AnalysisPtr> runs);
  /// The last dataset that is to be evaluated becomes the chosen one, or none.
  void chooseLastDataset();
  /// `before` is what was shown until now.
  void showAnalysis(int position, const AnalysisPtr& before);

  std::vector<ModelEntry> models_;
  std::vector<DatasetEntry> datasets_;
  std::vector<AnalysisPtr> analyses_;
  std::vector<AnalysisPtr> closed_;  ///< in the order in which they were listed
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

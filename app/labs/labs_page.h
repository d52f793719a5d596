// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/jobs/job.h"
#include "app/jobs/worker_thread.h"
#include "app/labs/frame_recorder.h"
#include "app/labs/simplex/shared_gaussian.h"
#include "app/page/page.h"
#include "core/analysis/analysis.h"
#include "core/labs/catalogue/laboratories.h"

class QKeyEvent;
class QLabel;
class QMenu;
class QPushButton;
class QSettings;
class QStackedWidget;
class QTabBar;

namespace dubito {

class FileOpener;
class LabView;
class RunComputer;
class Session;
class StoryBar;
class WindowJobs;
struct LabFigure;
struct LabPreset;
struct LabStory;
struct LogitsOfItem;

/// The laboratories: small problems on which Bayesian methods can be seen at work. Most are
/// independent of the models and runs of the window. Each is made when it is shown for the first
/// time.
class LabsPage : public Page {
  Q_OBJECT
 public:
  /// What the laboratories use that work on models and runs of the window; all outlive the page.
  struct Parts {
    Session& session;
    WindowJobs& jobs;
    RunComputer& computer;
    FileOpener& opener;
    QSettings& settings;
  };
  explicit LabsPage(const Parts& parts, QWidget* parent = nullptr);
  ~LabsPage() override;

  void showLaboratory(Laboratory laboratory);
  /// Sends the Gaussian over the logits of an item to the laboratories of the Laplace Bridge, and
  /// shows the simplex. The run must have such Gaussians (hasLogitGaussians).
  void sendItem(const AnalysisPtr& analysis, ItemRef item);
  /// The laboratory shown.
  [[nodiscard]] LabView& shownLaboratory();
  /// Whether the laboratory shown is working.
  [[nodiscard]] bool busy() const override;
  /// They play as long as someone watches.
  [[nodiscard]] bool settled() const override { return true; }
  [[nodiscard]] std::vector<ScreenshotStep> screenshots() override;
  /// Points that were drawn can be taken back. Nothing here selects or filters images.
  [[nodiscard]] bool hasHistory() const override { return true; }
  void undo() override;
  void redo() override;
  /// Escape shows all cards of a laboratory again.
  bool takeKey(const QKeyEvent& event) override;
  /// Only the laboratory itself, and the text of a story.
  void setPresented(bool presented) override;
  /// Shows the laboratory shown as it is at first.
  void showDefaults();
  /// Saves the set-up of the laboratory shown.
  void savePreset(const QString& path);
  /// Shows the laboratory whose set-up was saved.
  void openPreset(const QString& path);
  /// Opens the preset or the story in the file at `path`.
  void openFile(const QString& path);
  /// Shows the first step of a story, or the one that was shown last; `key` as in StoryBar::open().
  void tellStory(LabStory story, const QString& key);
  [[nodiscard]] StoryBar& storyBar() { return *story_; }
  /// Puts what the laboratory shown shows on the clipboard, as a step to be pasted into a story.
  void copyAsStoryStep();
  /// Shows a figure of the literature, with its explanation.
  void showFigure(const LabFigure& figure);
  /// Records the results of the laboratory shown, as numbered pictures in `folder` and an
  /// animation: while they change, or one for each step from now on.
  void recordFrames(const QString& folder);
  void recordSteps(const QString& folder);
  [[nodiscard]] FrameRecorder& recorder() { return recorder_; }
  /// For tests: the next file dialog returns `name`.
  void setNextFileName(const QString& name) { next_file_name_ = name; }

 Q_SIGNALS:
  /// Something was written to `path`.
  void written(const QString& path);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void deliverItem(const LogitsOfItem& item);
  /// Makes the laboratory of the chosen tab if there is none yet, shows it and lets it begin.
  void showChosen();
  /// Number of the chosen tab.
  [[nodiscard]] std::size_t shownIndex() const;
  [[nodiscard]] LabView& viewOf(std::size_t index);
  [[nodiscard]] QWidget* makeFileButton();
  void addStories(QMenu& menu);
  /// Shows or hides what the laboratory is, and the button for its defaults.
  void showDescription();
  void showStoryStep();
  /// `preset` with what it lacks from a new laboratory, so that nothing of what was shown before
  /// stays.
  [[nodiscard]] LabPreset completed(const LabPreset& preset);
  /// The set-up of the laboratory shown.
  [[nodiscard]] LabPreset shownPreset();
  /// While frames are recorded, the button ends that.
  void showRecording();
  /// Asks for a folder and records there with one of the functions above.
  void askForFrames(void (LabsPage::*record)(const QString& folder));
  void askForPreset(bool save);
  /// The file that a typed name means: with the suffix of presets. nullopt: it exists, and the user
  /// wants to keep it.
  [[nodiscard]] std::optional<QString> presetFile(const QString& typed);
  /// Lets its laboratory show `preset`. Returns false, with an error, if it cannot.
  bool apply(const LabPreset& preset, const QString& name);

  Parts parts_;
  WorkerThread worker_;      ///< outlives the laboratories
  Job item_job_;             ///< computes the Gaussian of an item
  SharedGaussian gaussian_;  ///< of the simplex laboratory
  QTabBar* tabs_;
  QLabel* explanation_;
  StoryBar* story_;
  QStackedWidget* stack_;
  QPushButton* file_;
  QPushButton* reset_;  ///< shows the defaults
  QMenu* file_menu_;
  FrameRecorder recorder_;
  QString next_file_name_;
  bool is_presented_ = false;
  std::vector<LabView*> views_;  ///< one per laboratory; null: not shown yet
  std::vector<std::string>
      defaults_;  ///< LabView::defaults() of each, as JSON; empty: not shown yet
};

}  // namespace dubito

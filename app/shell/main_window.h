// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>
#include <QSettings>
#include <functional>
#include <vector>

#include "app/page/page.h"
#include "app/pictures/thumbnail_loader.h"
#include "app/report/report.h"
#include "app/session/run_verifier.h"
#include "app/workbench/workbench.h"

class QAction;
class QStackedWidget;

namespace dubito {

class CardPlaces;
class CommandPalette;
class ComparePage;
class ErrorBanner;
class ExportMenu;
class FileDrop;
class HeaderBar;
class ImagesPage;
class LabelChoice;
class ReviewAlone;
class ReviewPage;
class OpenMenu;
class LabsPage;
class OverviewPage;
class ProgressStrip;
class ShiftPage;
class SidePanels;
class StudyPage;
class Tour;
class TrainPage;
class TunePage;
class ViewMenu;
class WindowBody;
class WorkspaceCommands;

/// Main window: the workspace list at the left, the current page in the middle, the inspector or a
/// setup panel at the right, and a status line. The window only assembles these parts; the logic is
/// in Workbench and the state in Session.
class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  /// `settings` must outlive the window.
  explicit MainWindow(QSettings& settings, QWidget* parent = nullptr);
  ~MainWindow() override;

  [[nodiscard]] Workbench& workbench() { return workbench_; }
  [[nodiscard]] Session& session() { return session_; }
  void showPage(PageId page);
  [[nodiscard]] PageId page() const;
  void setComputeOpen(bool open);

  [[nodiscard]] FileDrop& fileDrop() { return *file_drop_; }
  [[nodiscard]] Tour& tour() { return *tour_; }
  [[nodiscard]] CardPlaces& cardPlaces() { return *card_places_; }

  /// Screenshots of all pages.
  [[nodiscard]] std::vector<ReportPage> grabPages();
  /// Input for a report of the run shown. There must be a run.
  [[nodiscard]] ReportInput reportInput();
  /// True if nothing is pending: no picture is being decoded, no page is computing, no items are
  /// being sorted, and no file is being verified. Laboratories do not count: they play as long as
  /// someone watches.
  [[nodiscard]] bool settled() const;
  [[nodiscard]] ReviewAlone& reviewAlone() { return *review_alone_; }
  [[nodiscard]] LabelChoice& labelChoice() { return *label_choice_; }
  [[nodiscard]] ReviewPage& reviewPage() { return *review_; }
  [[nodiscard]] TunePage& tunePage() { return *tune_; }
  [[nodiscard]] ShiftPage& shiftPage() { return *shift_; }
  [[nodiscard]] TrainPage& trainPage() { return *train_; }
  [[nodiscard]] StudyPage& studyPage() { return *study_; }
  [[nodiscard]] LabsPage& labsPage() { return *labs_; }
  [[nodiscard]] WorkspaceCommands& workspaceCommands() { return *workspace_; }

 Q_SIGNALS:
  /// Emitted once, after the first paint.
  void firstPainted();
  /// Another page is shown.
  void pageChanged();

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void buildHeader();
  [[nodiscard]] Page* makePage(PageId id);
  void fillStartPage();
  void buildBody();
  void connectParts();
  [[nodiscard]] Page& currentPage() const;
  [[nodiscard]] std::vector<Page*> pages() const;
  /// The switch between given and reviewed labels.
  void buildLabelSwitch();
  /// The review of labels: how it begins, and the window that shows nothing else.
  void buildReview();
  void addCommands();
  QAction* addCommand(const char* name, const QString& text, const QKeySequence& keys,
                      const std::function<void()>& action);
  /// In pages with a history of their own, its steps; else selections and filters.
  void undoOrRedo(void (Page::*in_page)(), void (ItemListing::*in_list)());
  void offerUndo();
  void showSide();
  void showPalette();
  void showInfo();

  QSettings& settings_;
  Session session_;
  Workbench workbench_;
  RunVerifier verifier_;
  ThumbnailLoader thumbnails_;
  FileDrop* file_drop_;
  Tour* tour_;
  CardPlaces* card_places_ = nullptr;
  HeaderBar* header_ = nullptr;
  LabelChoice* label_choice_ = nullptr;
  OpenMenu* open_menu_ = nullptr;
  ExportMenu* export_menu_ = nullptr;
  ViewMenu* view_menu_ = nullptr;
  ErrorBanner* banner_ = nullptr;
  WorkspaceCommands* workspace_ = nullptr;
  QStackedWidget* pages_ = nullptr;
  SidePanels* side_ = nullptr;
  WindowBody* body_ = nullptr;
  OverviewPage* overview_ = nullptr;
  ImagesPage* images_ = nullptr;
  ReviewPage* review_ = nullptr;
  ReviewAlone* review_alone_ = nullptr;
  ComparePage* compare_ = nullptr;
  TunePage* tune_ = nullptr;
  ShiftPage* shift_ = nullptr;
  TrainPage* train_ = nullptr;
  StudyPage* study_ = nullptr;
  LabsPage* labs_ = nullptr;
  ProgressStrip* strip_ = nullptr;
  CommandPalette* palette_ = nullptr;
  QAction* undo_ = nullptr;
  QAction* redo_ = nullptr;
  QAction* cancel_ = nullptr;
  bool painted_ = false;
};

}  // namespace dubito

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

namespace dubito {

class CardPlaces;
class CommandPalette;
class ErrorBanner;
class ExportMenu;
class FileDrop;
class HeaderBar;
class LabelChoice;
class ReviewAlone;
class OpenMenu;
class PageStack;
class Presentation;
class ProgressStrip;
class SidePanels;
class Tour;
class ViewMenu;
class WindowBody;
class WindowCommands;
class WindowMemory;
class WorkspaceCommands;

/// Main window: the workspace list at the left, the current page in the middle, the inspector or a
/// setup panel at the right, and a status line. The window only assembles these parts; the logic is
/// in Workbench and the state in Session.
class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  /// When what is not seen at first is made: all pages but the first, and what refers to them.
  enum class Rest {
    kAtOnce,
    kAfterFirstPaint,  ///< nothing of the window but its signals may be used before ready()
  };
  /// `settings` must outlive the window.
  explicit MainWindow(QSettings& settings, Rest rest = Rest::kAtOnce, QWidget* parent = nullptr);
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
  [[nodiscard]] Presentation& presentation() { return *presentation_; }
  [[nodiscard]] ReviewAlone& reviewAlone() { return *review_alone_; }
  [[nodiscard]] LabelChoice& labelChoice() { return *label_choice_; }
  [[nodiscard]] PageStack& pages() { return *pages_; }
  [[nodiscard]] WorkspaceCommands& workspaceCommands() { return *workspace_; }

 Q_SIGNALS:
  /// Emitted once, after the first paint.
  void firstPainted();
  /// Emitted once, after firstPainted(): all pages are there.
  void ready();
  /// Another page is shown.
  void pageChanged();

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  /// Everything that is not seen at first, if it is not there yet.
  void buildRest();
  void buildHeader();
  void fillStartPage();
  void buildBody();
  void connectMessages();
  void connectParts();
  /// The switch between given and reviewed labels.
  void buildLabelSwitch();
  /// The review of labels: how it begins, and the window that shows nothing else.
  void buildReview();
  void connectCommands();
  /// Shows the page at `position` in the stack.
  void choosePage(int position);
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
  PageStack* pages_ = nullptr;
  SidePanels* side_ = nullptr;
  WindowBody* body_ = nullptr;
  ReviewAlone* review_alone_ = nullptr;
  Presentation* presentation_ = nullptr;
  ProgressStrip* strip_ = nullptr;
  WindowCommands* commands_ = nullptr;
  CommandPalette* palette_ = nullptr;
  WindowMemory* memory_ = nullptr;
  bool painted_ = false;
  bool complete_ = false;
};

}  // namespace dubito

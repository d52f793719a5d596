// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/main_window.h"

#include <QAction>
#include <QApplication>
#include <QKeyEvent>
#include <QScreen>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/compute/compute_panel.h"
#include "app/explore/inspector/item_inspector.h"
#include "app/explore/overview_page.h"
#include "app/explore/start_page.h"
#include "app/labs/labs_page.h"
#include "app/report/report_figures.h"
#include "app/review/labels/label_choice.h"
#include "app/review/review_page.h"
#include "app/shell/card_places.h"
#include "app/shell/command_palette.h"
#include "app/shell/error_banner.h"
#include "app/shell/export_menu.h"
#include "app/shell/figure_memory.h"
#include "app/shell/file_drop.h"
#include "app/shell/header_bar.h"
#include "app/shell/help_menu.h"
#include "app/shell/job_progress.h"
#include "app/shell/label_switch.h"
#include "app/shell/open_menu.h"
#include "app/shell/open_offers.h"
#include "app/shell/page_requests.h"
#include "app/shell/page_stack.h"
#include "app/shell/presentation.h"
#include "app/shell/reopen_offer.h"
#include "app/shell/review_alone.h"
#include "app/shell/side_panels.h"
#include "app/shell/status_text.h"
#include "app/shell/tour.h"
#include "app/shell/view_menu.h"
#include "app/shell/window_body.h"
#include "app/shell/window_commands.h"
#include "app/shell/window_memory.h"
#include "app/shell/window_messages.h"
#include "app/shell/workspace_commands.h"
#include "app/shift/shift_page.h"
#include "app/study/study_page.h"
#include "app/words/plain_keys.h"
#include "app/words/words.h"
#include "app/workspace/demo_offer.h"
#include "app/workspace/missing_files.h"
#include "app/workspace/workspace_panel.h"
#include "core/models/program/network_format.h"
#include "widgets/export_note.h"
#include "widgets/plain_labels.h"
#include "widgets/progress_strip.h"
#include "widgets/theme.h"
#include "widgets/wheel_guard.h"

namespace dubito {

MainWindow::MainWindow(QSettings& settings, Rest rest, QWidget* parent)
    : QMainWindow(parent),
      settings_(settings),
      workbench_(session_, settings),
      verifier_(session_),
      file_drop_(new FileDrop(workbench_.session(), workbench_.opener(), *this)),
      tour_(new Tour(*this, settings)) {
  setObjectName(QStringLiteral("mainWindow"));
  guardWheel(*qApp);
  showTextsAsPlain(*qApp);
  // A projector of 1920 x 1080 at double size, less the frame of the window.
  setMinimumSize(940, 500);
  resize(initialWindowSize(screen()->availableSize()));
  commands_ = new WindowCommands(*this);
  buildHeader();
  buildBody();
  showInfo();
  memory_ = new WindowMemory(*this, settings_);
  if (rest == Rest::kAtOnce || ReviewAlone::isRemembered(settings_)) {
    buildRest();
  }
}

void MainWindow::buildRest() {
  if (std::exchange(complete_, true)) {
    return;
  }
  pages_->makeRest();
  card_places_ = new CardPlaces(pages_->cardRows(), settings_, this);
  view_menu_->addPanels(*card_places_->menu());
  buildLabelSwitch();
  buildReview();
  presentation_ = new Presentation(*pages_, *this);
  view_menu_->addSwitch(*presentation_->action());
  connectMessages();
  connectParts();
  connectCommands();
  new OpenOffers(session_, workbench_.opener(), workbench_.computer(), *banner_, *open_menu_,
                 *this);
  review_alone_->show(ReviewAlone::isRemembered(settings_));
  memory_->restoreSplitters();
  rememberFigureFormat(settings_, *this);
  setFocus();  // the keys step through the images; no button is preselected
}

MainWindow::~MainWindow() {
  if (presentation_ != nullptr) {
    presentation_->end();  // the text of the next window has its usual size
  }
  // All widgets refer to the session and the workbench, which are members.
  delete label_choice_;
  delete workspace_;
  delete takeCentralWidget();
  delete export_menu_;
  delete open_menu_;
}

void MainWindow::buildHeader() {
  open_menu_ = new OpenMenu(workbench_.opener().recentFiles(), this);
  export_menu_ = new ExportMenu(
      session_, workbench_.jobs(), [this] { return reportInput(); }, this);
  view_menu_ = new ViewMenu(settings_, {&commands_->palette()}, this);
  auto* const help_menu = new HelpMenu(*this, *tour_, [this] { return &pages_->current(); });
  workspace_ = new WorkspaceCommands(*this,
                                     {.session = session_,
                                      .jobs = workbench_.jobs(),
                                      .computer = workbench_.computer(),
                                      .evaluator = workbench_.evaluator(),
                                      .opener = workbench_.opener()},
                                     *open_menu_, *export_menu_);
  header_ = new HeaderBar(open_menu_, export_menu_, view_menu_, help_menu, this);
  for (const PageInfo& page : allPages()) {
    header_->addPage(titleOf(page.id));
  }
  header_->setExportEnabled(false);
}

void MainWindow::fillStartPage() {
  StartPage& start = pages_->overview().startPage();
  start.addCommand(open_menu_->demoCommand(), tr("Open the demo"),
                   tr("A digit classifier, 2 000 digits and 2 000 OOD images"));
  start.addCommand(open_menu_->labelsCommand(), tr("Open labels…"),
                   tr("Review the labels of another program"));
  start.addCommand(open_menu_->modelCommand(), tr("Open model…"),
                   QString::fromStdString(networkFormatsText()));
  start.addCommand(workspace_->openCommand(), tr("Open workspace…"),
                   tr("Continue where you left off (saved with Ctrl+S)"));
}

void MainWindow::buildBody() {
  auto* const content = new QWidget(this);
  body_ = new WindowBody(content);
  pages_ = new PageStack(workbench_, thumbnails_, settings_, body_);
  fillStartPage();
  workspace_->setSavedNote([this] {
    return pages_->review().reviewer().file().isOpen() ? tr("Your labels are saved.") : QString();
  });
  side_ = new SidePanels({.session = session_,
                          .jobs = workbench_.jobs(),
                          .computer = workbench_.computer(),
                          .opener = workbench_.opener(),
                          .settings = settings_},
                         body_);
  workspace_->setMayClose([this] { return side_->mayCloseWindow(); });
  auto* const workspace =
      new WorkspacePanel(workbench_.session(), workbench_.opener(), workbench_.computer(), body_);
  connect(workspace, &WorkspacePanel::modelEditRequested, side_, &SidePanels::editModel);
  connect(workspace, &WorkspacePanel::datasetEditRequested, side_, &SidePanels::editDataset);
  connect(workspace, &WorkspacePanel::imagesRequested, this, [this] { showPage(PageId::kImages); });
  connect(workspace, &WorkspacePanel::saveRunRequested, export_menu_, &ExportMenu::saveRun);
  banner_ = new ErrorBanner(content);
  strip_ = new ProgressStrip(content);
  strip_->setObjectName(QStringLiteral("progressStrip"));

  body_->setParts(workspace, pages_, side_);
  auto* const layout = new QVBoxLayout(content);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(header_);
  layout->addWidget(banner_);
  layout->addWidget(new DemoOffer(workbench_.session(), workbench_.opener(), this));
  layout->addWidget(workspace_->missingFiles());
  layout->addWidget(body_, 1);
  layout->addWidget(strip_);
  setCentralWidget(content);

  export_menu_->addStudyReport([this] {
    const StudyFolderPtr& study = pages_->study().view().study();
    return study ? QString::fromStdString(study->path) : QString();
  });
  export_menu_->addPanels([this] { return &pages_->current(); });
  connect(header_, &HeaderBar::pageChosen, this, &MainWindow::choosePage);
}

void MainWindow::buildLabelSwitch() {
  Reviewer& reviewer = pages_->review().reviewer();
  label_choice_ = new LabelChoice(
      session_, [&reviewer](const Dataset& dataset) { return reviewer.placeOf(dataset); }, this);
  auto* const shown = new LabelSwitch(*label_choice_, centralWidget());
  auto* const rows = qobject_cast<QVBoxLayout*>(centralWidget()->layout());
  rows->insertWidget(rows->indexOf(body_), shown);
  const auto refresh = [this] {
    if (page() != PageId::kReview) {
      label_choice_->refresh();
    }
  };
  connect(pages_, &QStackedWidget::currentChanged, label_choice_, refresh);
  connect(pages_, &QStackedWidget::currentChanged, shown,
          [this, shown] { shown->setApplies(describe(page()).shows_run); });
  // A decision that was still on its way to the disk when the page changed.
  connect(&reviewer.file(), &LabelFile::recorded, label_choice_, refresh);
  connect(&reviewer.file(), &LabelFile::stepReverted, label_choice_, refresh);
  const auto name_labels = [this] {
    const AnalysisPtr analysis = session_.activeAnalysis();
    setExportNote(*this, analysis ? labelsText(*analysis) : QString());
  };
  connect(&session_, &Session::activeAnalysisChanged, this, name_labels);
}

void MainWindow::buildReview() {
  review_alone_ = new ReviewAlone(
      {*header_, *body_, pages_->review(), *file_drop_, commands_->hiddenInReview()}, settings_,
      this);
  view_menu_->addSwitch(*review_alone_->action());
  addAction(review_alone_->action());
  connect(review_alone_, &ReviewAlone::changed, this, [this] {
    showPage(PageId::kReview);
    showSide();
  });
  connect(header_, &HeaderBar::labelsRequested, &open_menu_->labelsCommand(), &QAction::trigger);
}

void MainWindow::connectMessages() {
  auto* const messages =
      new WindowMessages(workbench_.messages(), workbench_.jobs(), *banner_, *strip_, banner_);
  for (const Page* const page : pages_->all()) {
    messages->follow(*page);
  }
  messages->followErrors(verifier_);
  messages->followErrors(side_->inspector());
  messages->followErrors(*export_menu_);
  messages->followErrors(*workspace_);
  messages->followFiles(*export_menu_);
  messages->followFiles(pages_->labs());
  connect(label_choice_, &LabelChoice::failed, messages, &WindowMessages::showNote);
  connect(workspace_, &WorkspaceCommands::withdrawn, banner_, &ErrorBanner::withdraw);
  connect(workspace_, &WorkspaceCommands::noticed, &workbench_.messages(), &Messages::noticed);
  showJobs(workbench_.jobs(), workbench_.computer().queue(), *strip_);
}

void MainWindow::connectParts() {
  connectPageRequests(*this, *side_, *open_menu_);
  connect(header_, &HeaderBar::computeToggled, side_, &SidePanels::setComputeOpen);
  connect(side_, &SidePanels::computeOpenChanged, header_, &HeaderBar::setComputeOpen);
  connect(&side_->compute(), &ComputePanel::datasetRequested, open_menu_, &OpenMenu::askForDataset);

  connect(open_menu_, &OpenMenu::requested, &workbench_.opener(), &FileOpener::open);
  connect(open_menu_, &OpenMenu::demoRequested, &workbench_.opener(), &FileOpener::openDemo);
  connect(open_menu_, &OpenMenu::closeDemoRequested, &workbench_.opener(), &FileOpener::closeDemo);
  connect(&session_, &Session::workspaceChanged, this,
          [this] { open_menu_->setDemoOpen(session_.hasDemo()); });

  connect(&session_, &Session::activeAnalysisChanged, this, &MainWindow::showInfo);
  connect(&session_, &Session::workspaceChanged, this, &MainWindow::showInfo);
  connect(&session_.listing(), &ItemListing::itemsChanged, this, &MainWindow::showInfo);
  connect(&session_.plots(), &PlotState::thresholdChanged, this, &MainWindow::showInfo);
  connect(&pages_->study().view(), &StudyView::opened, this, &MainWindow::showInfo);

  connect(&session_.listing(), &ItemListing::queryChanged, this, &MainWindow::offerUndo);
  for (Page* const page : pages_->all()) {
    connect(page, &Page::pathsDropped, file_drop_, &FileDrop::dropAtMouse);
    connect(page, &Page::historyKeysChanged, this, &MainWindow::offerUndo);
  }
  connect(pages_, &QStackedWidget::currentChanged, this, &MainWindow::offerUndo);
  connect(pages_, &QStackedWidget::currentChanged, this, &MainWindow::showSide);
  connect(pages_, &QStackedWidget::currentChanged, this, &MainWindow::pageChanged);
  connect(side_, &QStackedWidget::currentChanged, this, &MainWindow::showSide);
  connect(presentation_, &Presentation::changed, this, &MainWindow::showSide);
}

void MainWindow::connectCommands() {
  connect(commands_, &WindowCommands::openRequested, open_menu_, &OpenMenu::openAny);
  connect(commands_, &WindowCommands::computeRequested, this, [this](const QString& method) {
    if (!method.isEmpty()) {
      side_->compute().chooseMethod(method);
    }
    setComputeOpen(true);
  });
  connect(commands_, &WindowCommands::cancelRequested, &workbench_.jobs(), &WindowJobs::cancel);
  for (QAction* const view : side_->inspector().viewActions()) {
    addAction(view);
    connect(view, &QAction::triggered, side_, &SidePanels::showInspector);
    connect(view, &QAction::triggered, body_, &WindowBody::unfoldSide);
  }
  connect(&workbench_.jobs(), &WindowJobs::started, this,
          [this] { commands_->cancel().setEnabled(true); });
  connect(&workbench_.jobs(), &WindowJobs::finished, this,
          [this] { commands_->cancel().setEnabled(workbench_.jobs().busy()); });
  offerReopening(session_, *commands_, *banner_);
  connect(commands_, &WindowCommands::pageRequested, this, &MainWindow::showPage);
  connect(commands_, &WindowCommands::undoRequested, this,
          [this] { undoOrRedo(&Page::undo, &ItemListing::undo); });
  connect(commands_, &WindowCommands::redoRequested, this,
          [this] { undoOrRedo(&Page::redo, &ItemListing::redo); });
  connect(commands_, &WindowCommands::clearRequested, &session_.listing(),
          &ItemListing::clearSelection);
  connect(commands_, &WindowCommands::backRequested, this, [this] {
    if (!card_places_->endEnlarged() && !presentation_->end()) {
      session_.listing().clearSelection();
    }
  });
  connect(commands_, &WindowCommands::stepRequested, &session_, &Session::moveShownItem);
  connect(commands_, &WindowCommands::whyRequested, this, [this] {
    body_->unfoldSide();
    side_->inspector().toggleWhy();
  });
  connect(commands_, &WindowCommands::paletteRequested, this, &MainWindow::showPalette);
}

void MainWindow::showPage(PageId page) {
  header_->setPage(static_cast<int>(page));
}

void MainWindow::choosePage(int position) {
  // Close menus and forms of the previous page.
  while (QWidget* const popup = QApplication::activePopupWidget()) {
    if (!popup->close()) {
      break;
    }
  }
  buildRest();
  pages_->setCurrentIndex(position);
  showInfo();
}

PageId MainWindow::page() const {
  return pages_->shown();
}

void MainWindow::undoOrRedo(void (Page::*in_page)(), void (ItemListing::*in_list)()) {
  if (pages_->current().hasHistory()) {
    (pages_->current().*in_page)();
  } else {
    (session_.listing().*in_list)();
  }
}

void MainWindow::showSide() {
  const PageInfo& info = describe(page());
  const bool inspects = side_->currentWidget() == &side_->inspector();
  const bool presented = presentation_->isOn();
  body_->setSideUsed((info.shows_run || !inspects) && !presented);
  body_->setWorkspaceVisible(info.uses_workspace && !review_alone_->isOn() && !presented);
  header_->setVisible(!presented);
  strip_->setVisible(!presented);
}

void MainWindow::offerUndo() {
  const Page& page = pages_->current();
  commands_->undo().setShortcuts(page.undoKeys());
  commands_->redo().setShortcuts(page.redoKeys());
  commands_->undo().setEnabled(page.hasHistory() || session_.listing().canUndo());
  commands_->redo().setEnabled(page.hasHistory() || session_.listing().canRedo());
}

void MainWindow::setComputeOpen(bool open) {
  header_->setComputeOpen(open);
}

void MainWindow::showPalette() {
  if (palette_ == nullptr) {
    palette_ = new CommandPalette(this);
  }
  palette_->ask(commandsOf(*this));
}

void MainWindow::keyPressEvent(QKeyEvent* event) {
  if (!pages_->current().takeKey(*event) && !triggerByPlainKey(*this, *event)) {
    QMainWindow::keyPressEvent(event);
  }
}

void MainWindow::paintEvent(QPaintEvent* event) {
  QMainWindow::paintEvent(event);
  if (!painted_) {
    painted_ = true;
    QTimer::singleShot(0, this, [this] {
      Q_EMIT firstPainted();
      buildRest();
      Q_EMIT ready();
    });
  }
}

void MainWindow::showInfo() {
  header_->setExportEnabled(session_.activeAnalysis() ||
                            (complete_ && pages_->study().view().study()));
  strip_->setInfo(statusText(session_, page(), workbench_.computer().settings().device));
}

std::vector<ReportPage> MainWindow::grabPages() {
  const PageId shown = page();
  const bool compute_open = side_->isComputeOpen();
  setComputeOpen(false);
  std::vector<ReportPage> result;
  for (const PageInfo& page : allPages()) {
    if (page.shows_run) {
      showPage(page.id);
      result.push_back({QLatin1String(page.key), centralWidget()->grab().toImage()});
    }
  }
  showPage(shown);
  setComputeOpen(compute_open);
  return result;
}

ReportInput MainWindow::reportInput() {
  ReportInput input;
  input.source = reportSource(session_, pages_->shift().result());
  input.figures = reportFigures(input.source);
  input.pages = grabPages();
  return input;
}

bool MainWindow::settled() const {
  ItemInspector& inspector = side_->inspector();
  return thumbnails_.pending() == 0 && (!inspector.isVisible() || inspector.imageSettled()) &&
         std::ranges::all_of(pages_->all(), &Page::settled) && workbench_.brushing().settled() &&
         !workbench_.lister().busy() && !verifier_.busy() && !label_choice_->busy();
}

}  // namespace dubito

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/main_window.h"

#include <QAction>
#include <QApplication>
#include <QKeyEvent>
#include <QScreen>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

#include "app/compare/compare_page.h"
#include "app/compute/compute_panel.h"
#include "app/explore/images/images_page.h"
#include "app/explore/inspector/item_inspector.h"
#include "app/explore/overview_page.h"
#include "app/explore/start_page.h"
#include "app/labs/labs_page.h"
#include "app/pictures/item_keys.h"
#include "app/report/report_figures.h"
#include "app/review/labels/label_choice.h"
#include "app/review/review_page.h"
#include "app/session/run_names.h"
#include "app/shell/card_places.h"
#include "app/shell/command_palette.h"
#include "app/shell/error_banner.h"
#include "app/shell/export_menu.h"
#include "app/shell/file_drop.h"
#include "app/shell/header_bar.h"
#include "app/shell/help_menu.h"
#include "app/shell/label_switch.h"
#include "app/shell/open_menu.h"
#include "app/shell/output_dialog.h"
#include "app/shell/review_alone.h"
#include "app/shell/side_panels.h"
#include "app/shell/tour.h"
#include "app/shell/view_menu.h"
#include "app/shell/window_body.h"
#include "app/shell/window_memory.h"
#include "app/shell/workspace_commands.h"
#include "app/shift/shift_page.h"
#include "app/study/study_page.h"
#include "app/train/train_page.h"
#include "app/tune/tune_page.h"
#include "app/words/plain_keys.h"
#include "app/words/words.h"
#include "app/workspace/demo_offer.h"
#include "app/workspace/missing_files.h"
#include "app/workspace/workspace_panel.h"
#include "core/models/program/network_format.h"
#include "widgets/card_rows.h"
#include "widgets/export_note.h"
#include "widgets/plain_labels.h"
#include "widgets/plot_table.h"
#include "widgets/progress_strip.h"
#include "widgets/theme.h"
#include "widgets/wheel_guard.h"

namespace dubito {
namespace {

/// File name and tab title of a page, in the order of MainWindow::Page.
struct NamedPage {
  QString name;
  QString title;
};
std::vector<NamedPage> namedPages() {
  return {{QStringLiteral("overview"), MainWindow::tr("Overview")},
          {QStringLiteral("images"), MainWindow::tr("Images")},
          {QStringLiteral("compare"), MainWindow::tr("Compare")},
          {QStringLiteral("tune"), MainWindow::tr("Tune")},
          {QStringLiteral("shift"), MainWindow::tr("Shift")},
          {QStringLiteral("review"), MainWindow::tr("Review")},
          {QStringLiteral("train"), MainWindow::tr("Train")},
          {QStringLiteral("study"), MainWindow::tr("Study")},
          {QStringLiteral("labs"), MainWindow::tr("Labs")}};
}

}  // namespace

MainWindow::MainWindow(QSettings& settings, QWidget* parent)
    : QMainWindow(parent),
      settings_(settings),
      workbench_(session_, settings),
      verifier_(session_),
      file_drop_(new FileDrop(workbench_, *this)),
      tour_(new Tour(*this, settings)) {
  setObjectName(QStringLiteral("mainWindow"));
  guardWheel(*qApp);
  showTextsAsPlain(*qApp);
  // A projector of 1920 x 1080 at double size, less the frame of the window.
  setMinimumSize(940, 500);
  resize(initialWindowSize(screen()->availableSize()));
  addCommands();
  buildHeader();
  buildBody();
  buildLabelSwitch();
  buildReview();
  connectParts();
  review_alone_->restore();
  showInfo();
  new WindowMemory(*this, settings_);
  setFocus();  // the keys step through the images; no button is preselected
}

MainWindow::~MainWindow() {
  // All widgets refer to the session and the workbench, which are members.
  delete label_choice_;
  setExportNote({});
  delete workspace_;
  delete takeCentralWidget();
  delete export_menu_;
  delete open_menu_;
}

// --- composition -------------------------------------------------------------------------------

void MainWindow::buildHeader() {
  open_menu_ = new OpenMenu(workbench_.recentFiles(), this);
  export_menu_ = new ExportMenu(
      workbench_, [this] { return reportInput(); }, this);
  view_menu_ = new ViewMenu(settings_, {findChild<QAction*>("commandPalette")}, this);
  auto* const help_menu = new HelpMenu(*this, *tour_, [this] { return pages_->currentWidget(); });
  workspace_ = new WorkspaceCommands(*this, workbench_, *open_menu_, *export_menu_);
  header_ = new HeaderBar(open_menu_, export_menu_, view_menu_, help_menu, this);
  for (const NamedPage& page : namedPages()) {
    header_->addPage(page.title);
  }
  header_->setExportEnabled(false);
}

void MainWindow::buildBody() {
  overview_ = new OverviewPage(workbench_, thumbnails_, this);
  StartPage& start = overview_->startPage();
  start.addCommand(*findChild<QAction*>("openDemo"), tr("Open the demo"),
                   tr("A digit classifier, 2 000 digits and 2 000 OOD images"));
  start.addCommand(*findChild<QAction*>("openLabels"), tr("Open labels…"),
                   tr("Review the labels of another program"));
  start.addCommand(*findChild<QAction*>("openModel"), tr("Open model…"),
                   QString::fromStdString(networkFormatsText()));
  start.addCommand(*findChild<QAction*>("openWorkspace"), tr("Open workspace…"),
                   tr("Continue where you left off (saved with Ctrl+S)"));
  images_ = new ImagesPage(workbench_, thumbnails_, this);
  review_ = new ReviewPage(workbench_, settings_, this);
  workspace_->setSavedNote([this] {
    return review_->reviewer().file().isOpen() ? tr("Your labels are saved.") : QString();
  });
  compare_ = new ComparePage(workbench_, this);
  tune_ = new TunePage(workbench_, this);
  shift_ = new ShiftPage(workbench_, this);
  pages_ = new QStackedWidget(this);
  pages_->setObjectName(QStringLiteral("pages"));
  pages_->addWidget(overview_);
  pages_->addWidget(images_);
  pages_->addWidget(compare_);
  pages_->addWidget(tune_);
  pages_->addWidget(shift_);
  pages_->addWidget(review_);
  train_ = new TrainPage(workbench_, this);
  pages_->addWidget(train_);
  study_ = new StudyPage(workbench_, this);
  pages_->addWidget(study_);
  labs_ = new LabsPage(workbench_, this);
  pages_->addWidget(labs_);
  side_ = new SidePanels(workbench_, settings_, this);
  auto* const workspace = new WorkspacePanel(workbench_, this);
  connect(workspace, &WorkspacePanel::modelEditRequested, side_, &SidePanels::editModel);
  connect(workspace, &WorkspacePanel::datasetEditRequested, side_, &SidePanels::editDataset);
  connect(workspace, &WorkspacePanel::imagesRequested, this, [this] { showPage(Page::kImages); });
  connect(workspace, &WorkspacePanel::saveRunRequested, export_menu_, &ExportMenu::saveRun);
  banner_ = new ErrorBanner(this);
  strip_ = new ProgressStrip(this);
  strip_->setObjectName(QStringLiteral("progressStrip"));

  body_ = new WindowBody(workspace, pages_, side_, this);
  auto* const content = new QWidget(this);
  auto* const layout = new QVBoxLayout(content);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(header_);
  layout->addWidget(banner_);
  layout->addWidget(new DemoOffer(workbench_, this));
  layout->addWidget(workspace_->missingFiles());
  layout->addWidget(body_, 1);
  layout->addWidget(strip_);
  setCentralWidget(content);

  std::vector<CardPlaces::NamedRows> rows;
  const std::vector<NamedPage> pages = namedPages();
  rows.reserve(pages.size());
  for (int page = 0; page < pages_->count(); ++page) {
    for (CardRows* const of_page : pages_->widget(page)->findChildren<CardRows*>()) {
      rows.push_back({pages[static_cast<std::size_t>(page)].title, of_page});
    }
  }
  export_menu_->addStudyReport([this] {
    const StudyFolderPtr& study = study_->view().study();
    return study ? QString::fromStdString(study->path) : QString();
  });
  export_menu_->addPanels([this] { return pages_->currentWidget(); });
  card_places_ = new CardPlaces(rows, settings_, this);
  view_menu_->addPanels(*card_places_->menu());
}

void MainWindow::buildLabelSwitch() {
  Reviewer& reviewer = review_->reviewer();
  label_choice_ = new LabelChoice(
      session_, [&reviewer](const Dataset& dataset) { return reviewer.placeOf(dataset); }, this);
  auto* const shown = new LabelSwitch(*label_choice_, centralWidget());
  auto* const rows = qobject_cast<QVBoxLayout*>(centralWidget()->layout());
  rows->insertWidget(rows->indexOf(body_), shown);
  const auto refresh = [this] {
    if (pages_->currentWidget() != review_) {
      label_choice_->refresh();
    }
  };
  connect(pages_, &QStackedWidget::currentChanged, label_choice_, refresh);
  connect(pages_, &QStackedWidget::currentChanged, shown,
          [this, shown] { shown->setApplies(showsRun(pages_->currentWidget())); });
  // A decision that was still on its way to the disk when the page changed.
  connect(&reviewer.file(), &LabelFile::recorded, label_choice_, refresh);
  connect(&reviewer.file(), &LabelFile::stepReverted, label_choice_, refresh);
  connect(label_choice_, &LabelChoice::failed, this,
          [this](const QString& message) { banner_->show(message, false); });
  const auto name_labels = [this] {
    const AnalysisPtr analysis = session_.activeAnalysis();
    setExportNote(analysis ? labelsText(*analysis) : QString());
  };
  connect(&session_, &Session::activeAnalysisChanged, this, name_labels);
}

void MainWindow::buildReview() {
  QList<QAction*> hidden;
  for (QAction* const action : actions()) {
    const QString name = action->objectName();
    if ((name.startsWith(u"commandShow-") && name != u"commandShow-review") ||
        name.startsWith(u"commandMethod-") || name == u"commandCompute") {
      hidden.push_back(action);
    }
  }
  review_alone_ =
      new ReviewAlone({*header_, *body_, *review_, *file_drop_, hidden}, settings_, this);
  view_menu_->addSwitch(*review_alone_->action());
  addAction(review_alone_->action());
  connect(review_alone_, &ReviewAlone::changed, this, [this] {
    showPage(Page::kReview);
    showSide();
  });
  const auto open_labels = [this] { findChild<QAction*>("openLabels")->trigger(); };
  connect(header_, &HeaderBar::labelsRequested, this, open_labels);
  connect(review_, &ReviewPage::labelsRequested, this, open_labels);
  connect(&workbench_, &Workbench::labelsOpened, this, [this](const QString& store) {
    showPage(Page::kReview);
    review_->reviewer().start(store);
  });
  connect(review_, &ReviewPage::networkRequested, this, [this] {
    review_alone_->show(false);
    if (!session_.activeModel()) {
      findChild<QAction*>("openModel")->trigger();
    }
    setComputeOpen(true);
  });
  connect(&workbench_, &Workbench::imagesNeeded, this,
          [this](const QString& labels, const QString& message) {
            missing_images_ = message;  // the error stays until a folder is chosen
            open_menu_->askForImages(labels);
          });
  connect(review_, &ReviewPage::imagesRequested, open_menu_, &OpenMenu::askForRunImages);
  connect(open_menu_, &OpenMenu::runImagesChosen, &workbench_,
          [this](const QString& folder) { workbench_.attachImages(folder.toStdString()); });
  connect(open_menu_, &OpenMenu::imagesChosen, banner_,
          [this] { banner_->withdraw(missing_images_); });
}

void MainWindow::offerInputSize(const QString& message, const ModelPtr& model) {
  constexpr std::int64_t kUsualSide = 224;  // of most networks for photographs
  constexpr std::int64_t kSmallestSide = 64;
  // Of a network that takes any size, the audit may have tried a tiny one.
  const std::vector<std::int64_t>& tried = model->audit().input_shape;
  const bool is_usable = tried.size() == 3 && std::min(tried[1], tried[2]) >= kSmallestSide;
  const std::int64_t height = is_usable ? tried[1] : kUsualSide;
  const std::int64_t width = is_usable ? tried[2] : kUsualSide;
  banner_->offer(
      message,
      {.label = tr("Resize the images to %1 x %2 and compute").arg(height).arg(width),
       .tooltip = tr("The shorter side is resized and the middle is taken. The size is saved "
                     "beside the model; you can change it there (Model, preprocessing)."),
       .act = [this, message, model, height, width] {
         banner_->withdraw(message);
         workbench_.resizeImages(model, height, width);
       }});
}

void MainWindow::connectParts() {
  const auto show_error = [this](const QString& message) { banner_->show(message, true); };
  connect(&workbench_, &Workbench::failed, this, show_error);
  connect(&workbench_, &Workbench::linesOffered, banner_, &ErrorBanner::offerLines);
  connect(&workbench_, &Workbench::inputSizeNeeded, this, &MainWindow::offerInputSize);
  connect(&verifier_, &RunVerifier::failed, this, show_error);
  connect(&side_->inspector(), &ItemInspector::failed, this, show_error);
  connect(overview_, &OverviewPage::failed, this, show_error);
  connect(images_, &ImagesPage::failed, this, show_error);
  connect(images_, &ImagesPage::largeImageRequested, &side_->inspector(),
          &ItemInspector::showLargeImage);
  connect(review_, &ReviewPage::failed, this, show_error);
  connect(review_, &ReviewPage::noticed, &workbench_, &Workbench::noticed);
  connect(&workbench_, &Workbench::withdrawn, banner_, &ErrorBanner::withdraw);
  connect(review_, &ReviewPage::withdrawn, banner_, &ErrorBanner::withdraw);
  connect(compare_, &ComparePage::failed, this, show_error);
  connect(tune_, &TunePage::failed, this, show_error);
  connect(shift_, &ShiftPage::failed, this, show_error);
  connect(train_, &TrainPage::failed, this, show_error);
  connect(study_, &StudyPage::failed, this, show_error);
  connect(&study_->view(), &StudyView::opened, this, &MainWindow::showInfo);
  connect(study_, &StudyPage::overviewRequested, this, [this] { showPage(Page::kOverview); });
  connect(&workbench_, &Workbench::studyRequested, this, [this](const QString& folder) {
    study_->openFolder(folder);
    showPage(Page::kStudy);
  });
  connect(labs_, &LabsPage::failed, this, show_error);
  connect(&side_->inspector(), &ItemInspector::labRequested, this,
          [this](const AnalysisPtr& analysis, ItemRef item) {
            labs_->sendItem(analysis, item);
            showPage(Page::kLabs);
          });
  connect(compare_, &ComparePage::imagesRequested, this, [this] { showPage(Page::kImages); });
  connect(export_menu_, &ExportMenu::failed, this, show_error);
  const auto say_written = [this](const QString& path) {
    const QString text = tr("Saved: %1").arg(path);
    if (workbench_.busy()) {
      workbench_.setDoneText(text);  // the strip shows the running job
    } else {
      strip_->finish(text);
    }
  };
  connect(export_menu_, &ExportMenu::written, this, say_written);
  connect(labs_, &LabsPage::written, this, say_written);
  connect(&workbench_, &Workbench::noticed, this,
          [this](const QString& message) { banner_->show(message, false); });

  connect(&workbench_, &Workbench::jobStarted, strip_, [this](const QString& title) {
    const ComputeQueue& queue = workbench_.queue();
    if (queue.running() && title != queue.job().title()) {
      return;  // opening a file must not replace the progress of a computation
    }
    // Opening and saving count bytes and files, not items.
    strip_->start(title, queue.running());
  });
  connect(&workbench_, &Workbench::jobProgress, strip_, &ProgressStrip::setProgress);
  connect(&workbench_, &Workbench::jobFinished, strip_, &ProgressStrip::finish);
  connect(strip_, &ProgressStrip::cancelRequested, &workbench_, &Workbench::cancel);
  connect(&workbench_, &Workbench::jobStarted, this, [this] { cancel_->setEnabled(true); });
  connect(&workbench_, &Workbench::jobFinished, this,
          [this] { cancel_->setEnabled(workbench_.busy()); });

  connect(header_, &HeaderBar::pageChosen, this, [this](int page) {
    // Close menus and forms of the previous page.
    while (QWidget* const popup = QApplication::activePopupWidget()) {
      if (!popup->close()) {
        break;
      }
    }
    pages_->setCurrentIndex(page);
    showInfo();
  });
  connect(header_, &HeaderBar::computeToggled, side_, &SidePanels::setComputeOpen);
  connect(side_, &SidePanels::computeOpenChanged, header_, &HeaderBar::setComputeOpen);

  connect(open_menu_, &OpenMenu::requested, &workbench_, &Workbench::open);
  connect(&workbench_, &Workbench::outputChoiceNeeded, this, &MainWindow::askForOutput);
  connect(open_menu_, &OpenMenu::demoRequested, &workbench_, &Workbench::openDemo);
  connect(open_menu_, &OpenMenu::closeDemoRequested, &workbench_, &Workbench::closeDemo);
  connect(&session_, &Session::workspaceChanged, this,
          [this] { open_menu_->setDemoOpen(session_.hasDemo()); });
  connect(overview_, &OverviewPage::openRequested, open_menu_, &OpenMenu::openAny);
  connect(overview_, &OverviewPage::computeRequested, this, [this] { setComputeOpen(true); });
  connect(overview_, &OverviewPage::imagesRequested, this, [this] { showPage(Page::kImages); });
  const auto drop = [this](const QStringList& paths) {
    const bool ood = QApplication::keyboardModifiers().testFlag(Qt::ShiftModifier);
    file_drop_->drop(paths, ood, QCursor::pos());
  };
  connect(overview_, &OverviewPage::pathsDropped, this, drop);
  connect(review_, &ReviewPage::pathsDropped, this, drop);

  connect(workspace_, &WorkspaceCommands::failed, this, show_error);
  connect(workspace_, &WorkspaceCommands::withdrawn, banner_, &ErrorBanner::withdraw);
  connect(workspace_, &WorkspaceCommands::noticed, &workbench_, &Workbench::noticed);
  connect(&session_, &Session::activeAnalysisChanged, this, &MainWindow::showInfo);
  connect(&session_, &Session::workspaceChanged, this, &MainWindow::showInfo);
  connect(&session_.listing(), &ItemListing::itemsChanged, this, &MainWindow::showInfo);
  connect(&session_.plots(), &PlotState::thresholdChanged, this, &MainWindow::showInfo);
  connect(&session_.listing(), &ItemListing::queryChanged, this, &MainWindow::offerUndo);
  connect(pages_, &QStackedWidget::currentChanged, this, &MainWindow::offerUndo);
  connect(&review_->reviewer().keys(), &ReviewKeys::changed, this, &MainWindow::offerUndo);
  connect(pages_, &QStackedWidget::currentChanged, this, &MainWindow::showSide);
  connect(pages_, &QStackedWidget::currentChanged, this, &MainWindow::pageChanged);
  connect(side_, &QStackedWidget::currentChanged, this, &MainWindow::showSide);
}

QAction* MainWindow::addCommand(const char* name, const QString& text, const QKeySequence& keys,
                                const std::function<void()>& action) {
  auto* const command = new QAction(text, this);
  command->setObjectName(QLatin1String(name));
  command->setShortcut(keys);
  // Floating panels respond to the same keys.
  command->setShortcutContext(Qt::ApplicationShortcut);
  addAction(command);
  connect(command, &QAction::triggered, this, action);
  return command;
}

void MainWindow::addCommands() {
  addCommand("commandOpen", tr("Open file"), QKeySequence(Qt::CTRL | Qt::Key_O),
             [this] { open_menu_->openAny(); });
  addCommand("commandCompute", tr("Set up a computation"), QKeySequence(Qt::CTRL | Qt::Key_Return),
             [this] { setComputeOpen(true); });
  for (const MethodDescription& method : allMethods()) {
    const QString name = QString::fromStdString(method.name);
    addCommand(qPrintable("commandMethod-" + name),
               tr("Compute with %1").arg(QString::fromStdString(method.label)), {}, [this, name] {
                 side_->compute().chooseMethod(name);
                 setComputeOpen(true);
               });
  }
  cancel_ =
      addCommand("commandCancel", tr("Cancel computation"), {}, [this] { workbench_.cancel(); });
  cancel_->setEnabled(false);
  QAction* const reopen = addCommand("commandReopen", tr("Reopen closed run"),
                                     QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_T),
                                     [this] { session_.reopenClosed(); });
  const auto offer = [this, reopen] { reopen->setEnabled(session_.canReopenClosed()); };
  connect(&session_, &Session::workspaceChanged, this, offer);
  offer();
  connect(&session_, &Session::unsavedRunsClosed, this,
          [this, reopen](const std::vector<AnalysisPtr>& runs) {
            QStringList names;
            for (const AnalysisPtr& run : runs) {
              names << QString::fromStdString(run->name);
            }
            banner_->show(tr("Closed without saving: %1. Press %2 to reopen.")
                              .arg(names.join(QStringLiteral(", ")),
                                   reopen->shortcut().toString(QKeySequence::NativeText)),
                          false);
          });
  const std::vector<NamedPage> pages = namedPages();
  for (int page = 0; page < static_cast<int>(pages.size()); ++page) {
    const NamedPage& named = pages[static_cast<std::size_t>(page)];
    addCommand(qPrintable("commandShow-" + named.name), tr("Show %1").arg(named.title),
               QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + page)),
               [this, page] { header_->setPage(page); });
  }
  undo_ = addCommand("commandUndo", tr("Undo selection, filter or decision"), QKeySequence::Undo,
                     [this] { undoOrRedo(&ReviewPage::undo, &ItemListing::undo); });
  redo_ = addCommand("commandRedo", tr("Redo selection, filter or decision"), QKeySequence::Redo,
                     [this] { undoOrRedo(&ReviewPage::redo, &ItemListing::redo); });
  undo_->setEnabled(false);
  redo_->setEnabled(false);
  addCommand("commandClear", tr("Clear selection"), {},
             [this] { session_.listing().clearSelection(); });
  setPlainKeys(*addCommand("commandBack", tr("Restore panel or clear selection"), {},
                           [this] {
                             if (!card_places_->endEnlarged()) {
                               session_.listing().clearSelection();
                             }
                           }),
               {Qt::Key_Escape});
  setPlainKeys(*addCommand("commandPrevious", tr("Previous image"), {},
                           [this] { session_.moveShownItem(-1); }),
               previousItemKeys());
  setPlainKeys(
      *addCommand("commandNext", tr("Next image"), {}, [this] { session_.moveShownItem(1); }),
      nextItemKeys());
  addCommand("commandPalette", tr("Command palette"), QKeySequence(Qt::CTRL | Qt::Key_K),
             [this] { showPalette(); });
}

// --- interaction -------------------------------------------------------------------------------

void MainWindow::showPage(Page page) {
  header_->setPage(static_cast<int>(page));
}

MainWindow::Page MainWindow::page() const {
  return static_cast<Page>(pages_->currentIndex());
}

bool MainWindow::showsRun(const QWidget* page) const {
  return page != review_ && page != train_ && page != study_ && page != labs_;
}

void MainWindow::undoOrRedo(void (ReviewPage::*in_review)(), void (ItemListing::*in_list)()) {
  if (pages_->currentWidget() == review_) {
    (review_->*in_review)();
  } else {
    (session_.listing().*in_list)();
  }
}

void MainWindow::showSide() {
  // The inspector would tell what the review may hide, and takes the room of the image. Training
  // and studies have no items to inspect.
  const bool inspects = side_->currentWidget() == &side_->inspector();
  side_->setVisible(showsRun(pages_->currentWidget()) || !inspects);
  // The laboratories have nothing to do with what is open.
  body_->setWorkspaceVisible(pages_->currentWidget() != labs_ && !review_alone_->isOn());
}

void MainWindow::offerUndo() {
  const bool reviewing = pages_->currentWidget() == review_;
  const ReviewKeys& keys = review_->reviewer().keys();
  undo_->setShortcuts(reviewing ? keys.keysOf(ReviewCommand::kUndo)
                                : QList<QKeySequence>{QKeySequence(QKeySequence::Undo)});
  redo_->setShortcuts(reviewing ? keys.keysOf(ReviewCommand::kRedo)
                                : QList<QKeySequence>{QKeySequence(QKeySequence::Redo)});
  undo_->setEnabled(reviewing || session_.listing().canUndo());
  redo_->setEnabled(reviewing || session_.listing().canRedo());
}

void MainWindow::setComputeOpen(bool open) {
  header_->setComputeOpen(open);
}

void MainWindow::askForOutput(const QString& path, const std::vector<OutputOption>& options) {
  // The error just shown stays until a tensor is chosen.
  const QString refusal = banner_->messages().value(0);
  auto* const dialog = new OutputDialog(path, options, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &OutputDialog::chosen, &workbench_,
          [this, refusal](const QString& model, const std::string& key) {
            banner_->withdraw(refusal);
            workbench_.openWithOutput(model.toStdString(), key);
          });
  dialog->show();
}

void MainWindow::showPalette() {
  if (palette_ == nullptr) {
    palette_ = new CommandPalette(this);
  }
  palette_->ask(commandsOf(*this));
}

void MainWindow::keyPressEvent(QKeyEvent* event) {
  // The keys of the review work wherever the focus is.
  const bool taken = pages_->currentWidget() == review_ && review_->takeKey(*event);
  if (!taken && !triggerByPlainKey(*this, *event)) {
    QMainWindow::keyPressEvent(event);
  }
}

// --- display -----------------------------------------------------------------------------------

void MainWindow::paintEvent(QPaintEvent* event) {
  QMainWindow::paintEvent(event);
  if (!painted_) {
    painted_ = true;
    QTimer::singleShot(0, this, &MainWindow::firstPainted);
  }
}

void MainWindow::showInfo() {
  QStringList parts;
  header_->setExportEnabled(session_.activeAnalysis() || study_->view().study());
  if (const AnalysisPtr analysis = session_.activeAnalysis()) {
    parts << tr("%1 items").arg(countText(analysis->itemCount()));
    if (hasSelection(session_.listing().query()) && session_.listing().items()) {
      parts << tr("selection %1")
                   .arg(countText(static_cast<qint64>(session_.listing().items()->size())));
    }
    const Measure measure = session_.plots().thresholdMeasure();
    const std::optional<double> threshold = session_.plots().threshold(measure);
    if (threshold && showsRun(pages_->currentWidget())) {
      parts << tr("threshold %1 %2 %3")
                   .arg(measureName(measure), shortText(*threshold), measureUnit(measure))
                   .trimmed();
    }
    if (!analysis->in().run->meta.device.empty()) {
      parts << QString::fromStdString(analysis->in().run->meta.device);
    }
  } else {
    parts << QString::fromStdString(toString(workbench_.settings().device));
  }
  strip_->setInfo(parts.join(QStringLiteral(" · ")));
}

std::vector<ReportPage> MainWindow::grabPages() {
  const int shown = pages_->currentIndex();
  const bool compute_open = side_->isComputeOpen();
  setComputeOpen(false);
  std::vector<ReportPage> result;
  const std::vector<NamedPage> pages = namedPages();
  for (int page = 0; page < pages_->count(); ++page) {
    const QWidget* const widget = pages_->widget(page);
    if (!showsRun(widget)) {
      continue;
    }
    header_->setPage(page);
    const NamedPage& named = pages[static_cast<std::size_t>(page)];
    result.push_back({named.name, centralWidget()->grab().toImage()});
  }
  header_->setPage(shown);
  setComputeOpen(compute_open);
  return result;
}

ReportInput MainWindow::reportInput() {
  ReportInput input;
  input.source = {.analysis = session_.activeAnalysis(),
                  .reliability = session_.plots().reliability(),
                  .compared = session_.analyses(),
                  .shift = nullptr,
                  .names = givenNames(session_)};
  // The run may have been evaluated again since.
  if (const ShiftResultPtr& shift = shift_->result();
      shift && shift->analysis->in().run == input.source.analysis->in().run) {
    input.source.shift = shift;
  }
  input.figures = reportFigures(input.source);
  input.pages = grabPages();
  return input;
}

bool MainWindow::settled() const {
  return thumbnails_.pending() == 0 && side_->inspector().imageSettled() && !images_->busy() &&
         !review_->busy() && !tune_->busy() && !shift_->busy() && !train_->busy() &&
         !study_->busy() && workbench_.brushing().settled() && !workbench_.isListing() &&
         !verifier_.busy() && !label_choice_->busy();
}

}  // namespace dubito

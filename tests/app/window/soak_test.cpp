// SPDX-License-Identifier: GPL-3.0-or-later
// Random actions on the real window, from a seed. DUBITO_SOAK_ACTIONS=10000 makes it long,
// DUBITO_SOAK_SEED chooses other actions, DUBITO_SOAK_LOG=FILE repeats the actions of a log.
#include <QAction>
#include <QCryptographicHash>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QTest>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <sstream>

#include "app/pages/lab_view.h"
#include "app/pages/labs_page.h"
#include "app/pages/review_page.h"
#include "app/panels/error_banner.h"
#include "app/panels/workspace_row.h"
#include "app/window/card_places.h"
#include "app/window/file_drop.h"
#include "app/window/main_window.h"
#include "app/window/tour.h"
#include "core/io/run_file.h"
#include "core/labs/catalogue/laboratories.h"
#include "tests/core/analysis/sample_analysis.h"
#include "tests/support/gui_test.h"
#include "tests/support/shared_data.h"
#include "widgets/band_plot.h"
#include "widgets/card.h"
#include "widgets/card_rows.h"
#include "widgets/confusion_matrix.h"
#include "widgets/curve_plot.h"
#include "widgets/histogram_plot.h"
#include "widgets/reliability_plot.h"
#include "widgets/theme.h"
#include "widgets/tour_overlay.h"

namespace dubito::test {
namespace {

/// Ten thousand actions take longer than QTest lets a function run; it reads this before main.
[[maybe_unused]] const bool may_take_long = qEnvironmentVariableIsSet("QTEST_FUNCTION_TIMEOUT") ||
                                            qputenv("QTEST_FUNCTION_TIMEOUT", "14400000");

/// One thing that a person does; `choice` decides between what is possible at that moment.
struct SoakAction {
  std::string kind;
  std::uint64_t choice = 0;
};

std::vector<SoakAction> readLog(const std::string& path) {
  std::vector<SoakAction> actions;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    SoakAction action;
    if (words >> action.kind >> action.choice) {
      actions.push_back(action);
    }
  }
  return actions;
}

/// A window of its own and all that can be done with it.
class Soak {
 public:
  explicit Soak(const TempDir& files) : files_(files) {
    settings_ = std::make_unique<QSettings>(QString::fromStdString(dir_.file("settings.ini")),
                                            QSettings::IniFormat);
    settings_->setValue(QStringLiteral("review/folder"),
                        QString::fromStdString(dir_.file("labels")));
    window_ = std::make_unique<MainWindow>(*settings_);
    window_->resize(1280, 800);
    window_->show();
    addActions();
    perform({"open-network", 0});
    perform({"open-images", 0});
    perform({"open-run", 0});
  }
  ~Soak() { applyTheme(*qApp, Theme::light()); }

  [[nodiscard]] std::vector<std::string> kinds() const {
    std::vector<std::string> names;
    for (const auto& [name, act] : actions_) {
      names.push_back(name);
    }
    return names;
  }
  void perform(const SoakAction& action) {
    actions_.at(action.kind)(action.choice);
    settle();
  }
  /// Everything that actions change, as text.
  [[nodiscard]] std::string state() const;

 private:
  Session& session() const { return window_->session(); }
  template <class T>
  T& part(const char* name) const {
    return partOf<T>(*window_, name);
  }
  void settle() {
    QElapsedTimer patience;
    patience.start();
    const auto busy = [this] {
      return window_->workbench().busy() || !window_->settled() ||
             (session().activeAnalysis() && !session().listing().items());
    };
    do {
      QCoreApplication::processEvents();
      QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    } while (busy() && patience.elapsed() < 60000);
    if (busy()) {
      qFatal("the window does not come to rest");
    }
  }
  void open(const std::string& specification, bool ood = false) {
    window_->fileDrop().open({QString::fromStdString(specification)}, ood);
  }
  /// Closes the oldest while there are more than `most`, so that a long soak does not grow.
  void keepAtMost(std::size_t most) {
    while (session().analyses().size() > most) {
      session().removeAnalysis(0);
    }
    while (session().datasets().size() > most) {
      session().removeDataset(0);
    }
    while (session().models().size() > most) {
      session().removeModel(0);
    }
  }
  Card* anyCard(std::uint64_t choice, CardRows*& rows) const {
    QList<std::pair<CardRows*, Card*>> cards;
    for (CardRows* const page : window_->findChildren<CardRows*>()) {
      for (Card* const card : page->cards()) {
        cards.emplace_back(page, card);
      }
    }
    const auto& [page, card] =
        cards[static_cast<qsizetype>(choice % static_cast<std::uint64_t>(cards.size()))];
    rows = page;
    return card;
  }
  static double fraction(std::uint64_t choice) {
    return static_cast<double>(choice % 1000) / 1000.0;
  }
  ComputeSettings quickSettings(std::uint64_t choice) const {
    ComputeSettings settings;
    if (choice % 2 == 0) {
      settings.method = MapOptions{};
    } else {
      McDropoutOptions dropout;
      dropout.draws = 2;
      settings.method = dropout;
    }
    settings.seed = choice % 100;
    return settings;
  }
  void addActions();
  void addFileActions();
  void addSelectionActions();
  void addWindowActions();
  void addReviewActions();
  void addLabActions();
  /// Shows the Review page with an item that can be decided; false if nothing can be reviewed.
  bool startReview();
  void pressInReview(Qt::Key key) { QTest::keyClick(&window_->reviewPage(), key); }

  const TempDir& files_;
  TempDir dir_;
  std::unique_ptr<QSettings> settings_;
  std::unique_ptr<MainWindow> window_;
  std::map<std::string, std::function<void(std::uint64_t)>> actions_;
};

void Soak::addActions() {
  addFileActions();
  addSelectionActions();
  addWindowActions();
  addReviewActions();
  addLabActions();
}

void Soak::addFileActions() {
  const std::string samples = (sourceDir() / "datasets/samples").string();
  const auto images = [samples](const std::string& name, std::uint64_t first) {
    return "idx:" + samples + "/" + name + "-images-idx3-ubyte.gz," + samples + "/" + name +
           "-labels-idx1-ubyte.gz?items=" + std::to_string(first) + ":" +
           std::to_string(first + 12);
  };
  actions_["open-network"] = [this](std::uint64_t choice) {
    keepAtMost(3);
    open((sourceDir() / "tests/data/models" / (choice % 2 == 0 ? "scripted.pt" : "traced_train.pt"))
             .string());
  };
  actions_["open-images"] = [this, images](std::uint64_t choice) {
    keepAtMost(3);
    open(images("mnist-2000", choice % 900));
  };
  actions_["open-strangers"] = [this, images](std::uint64_t choice) {
    keepAtMost(3);
    open(images("kmnist-1000", choice % 900), true);
  };
  actions_["open-run"] = [this](std::uint64_t choice) {
    keepAtMost(3);
    open((files_.path() / ("run" + std::to_string(choice % 3) + ".npz")).string());
  };
  actions_["open-nonsense"] = [this](std::uint64_t choice) {
    open(files_.file("missing" + std::to_string(choice % 10) + ".npz"));
    settle();
    auto& banner = part<ErrorBanner>("errorBanner");
    if (banner.messages().isEmpty()) {
      qFatal("a missing file was not reported");
    }
    banner.dismiss();
  };
  actions_["compute"] = [this](std::uint64_t choice) {
    keepAtMost(3);
    if (window_->workbench().canCompute() && !window_->workbench().queue().running()) {
      window_->workbench().compute(quickSettings(choice));
    }
  };
  actions_["compute-and-cancel"] = [this](std::uint64_t choice) {
    keepAtMost(3);
    if (window_->workbench().canCompute() && !window_->workbench().queue().running()) {
      ComputeSettings settings = quickSettings(1);
      std::get<McDropoutOptions>(settings.method).draws = 500;
      settings.seed = choice % 100;
      window_->workbench().compute(settings);
      window_->workbench().cancel();
    }
  };
  actions_["switch-run"] = [this](std::uint64_t choice) {
    const std::size_t runs = session().analyses().size();
    if (runs > 1) {
      const auto step = 1 + choice % (runs - 1);
      session().setActiveAnalysis(static_cast<int>(
          (static_cast<std::size_t>(session().activeAnalysisPosition()) + step) % runs));
    } else {
      actions_.at("open-run")(choice);
    }
  };
  actions_["close-run"] = [this](std::uint64_t choice) {
    const std::size_t runs = session().analyses().size();
    if (runs > 1) {
      session().removeAnalysis(choice % runs);
    } else {
      actions_.at("open-run")(choice);
    }
  };
}

void Soak::addSelectionActions() {
  actions_["brush"] = [this](std::uint64_t choice) {
    const char* const names[] = {"confidenceHistogram", "entropyHistogram",
                                 "mutualInformationHistogram"};
    auto& plot = part<HistogramPlot>(names[choice % 3]);
    if (!plot.histograms().groups.empty()) {
      const std::vector<double>& edges = plot.histograms().groups.front().histogram.edges;
      const double width = edges.back() - edges.front();
      const double low = edges.front() + width * 0.7 * fraction(choice / 3);
      Q_EMIT plot.rangeDragged({low, low + 0.1 * width});
      Q_EMIT plot.rangeDragged({low, low + 0.2 * width});
      Q_EMIT plot.rangeSelected({low, low + 0.3 * width});
    }
  };
  actions_["reliability-bin"] = [this](std::uint64_t choice) {
    auto& plot = part<ReliabilityPlot>("reliabilityPlot");
    if (!plot.diagram().bins.empty()) {
      Q_EMIT plot.binSelected(static_cast<int>(choice % plot.diagram().bins.size()));
    }
  };
  actions_["reliability-options"] = [this](std::uint64_t choice) {
    ReliabilityOptions options;
    options.bins = 5 + static_cast<std::int64_t>(choice % 40);
    options.equal_mass = choice / 40 % 2 == 0;
    options.with_ood = choice / 80 % 2 == 0;
    if (choice / 160 % 2 == 0) {
      options.of_class = static_cast<std::int64_t>(choice / 320 % 12);
    }
    session().plots().setReliabilityOptions(options);
  };
  actions_["curve-point"] = [this](std::uint64_t choice) {
    auto& plot = part<CurvePlot>(choice % 2 == 0 ? "rocPlot" : "precisionRecallPlot");
    const std::vector<StyledCurve>& curves = plot.curves().curves;
    if (curves.empty()) {
      actions_.at("brush")(choice);
      return;
    }
    const std::size_t curve = choice / 2 % curves.size();
    const std::size_t points = curves[curve].curve.x.size();
    Q_EMIT plot.pointSelected(static_cast<int>(curve), static_cast<int>(choice / 16 % points));
  };
  actions_["confusion-cell"] = [this](std::uint64_t choice) {
    Q_EMIT part<ConfusionMatrix>("confusionMatrix")
        .cellChosen(static_cast<int>(choice % 3), static_cast<int>(choice / 3 % 3));
  };
  actions_["sort-and-filter"] = [this](std::uint64_t choice) {
    const AnalysisPtr analysis = session().activeAnalysis();
    ItemQuery query = session().listing().query();
    query.group = static_cast<GroupFilter>(choice % 4);
    query.descending = choice / 4 % 2 == 0;
    const Measure measure =
        allMeasures()[static_cast<std::size_t>(choice / 8) % allMeasures().size()];
    if (analysis && analysis->in().has(measure)) {
      query.sort = measure;
    }
    session().listing().setQuery(query);
  };
  actions_["walk"] = [this](std::uint64_t choice) {
    constexpr std::array kKeys = {Qt::Key_Left, Qt::Key_Right, Qt::Key_A, Qt::Key_D};
    for (std::uint64_t i = 0; i < 1 + choice / 4 % 3; ++i) {
      QTest::keyClick(window_.get(), kKeys[choice % 4]);
    }
  };
  actions_["clear"] = [this](std::uint64_t choice) {
    actions_.at("brush")(choice);
    QTest::keyClick(window_.get(), Qt::Key_Escape);
    QTest::keyClick(window_.get(), Qt::Key_Escape);
  };
  actions_["undo"] = [this](std::uint64_t choice) {
    if (!session().listing().canUndo()) {
      actions_.at("brush")(choice);
    }
    session().listing().undo();
  };
  actions_["redo"] = [this](std::uint64_t choice) {
    if (!session().listing().canRedo()) {
      actions_.at("reliability-bin")(choice);
      session().listing().undo();
    }
    session().listing().redo();
  };
  actions_["threshold"] = [this](std::uint64_t choice) {
    auto& plot = part<HistogramPlot>(choice % 2 == 0 ? "confidenceHistogram" : "entropyHistogram");
    for (int i = 0; i < 3; ++i) {
      Q_EMIT plot.thresholdMoved(fraction(choice / 2 + static_cast<std::uint64_t>(i)));
    }
    Q_EMIT plot.thresholdReleased(fraction(choice / 2 + 2));
  };
  actions_["hide-group"] = [this](std::uint64_t choice) {
    const auto group = static_cast<ItemGroup>(choice % 4);
    session().plots().setGroupVisible(group, !session().plots().groupVisible(group));
  };
}

void Soak::addWindowActions() {
  actions_["page"] = [this](std::uint64_t choice) {
    constexpr auto kPages = static_cast<std::uint64_t>(MainWindow::Page::kLabs) + 1;
    window_->showPage(static_cast<MainWindow::Page>(choice % kPages));
  };
  actions_["close-card"] = [this](std::uint64_t choice) {
    CardRows* rows = nullptr;
    Card* const card = anyCard(choice, rows);
    rows->setPlace(
        *card, rows->place(*card) == CardPlace::kClosed ? CardPlace::kDocked : CardPlace::kClosed);
  };
  actions_["float-card"] = [this](std::uint64_t choice) {
    CardRows* rows = nullptr;
    Card* const card = anyCard(choice, rows);
    if (QWidget* const window = rows->floatingWindow(*card)) {
      window->close();
    } else {
      rows->setPlace(*card, CardPlace::kFloating);
    }
  };
  actions_["enlarge-card"] = [this](std::uint64_t choice) {
    CardRows* rows = nullptr;
    Card* const card = anyCard(choice, rows);
    if (rows->place(*card) != CardPlace::kDocked) {
      rows->setPlace(*card, CardPlace::kDocked);
    }
    rows->setEnlarged(rows->enlarged() == card ? nullptr : card);
  };
  actions_["panels-as-at-first"] = [this](std::uint64_t choice) {
    actions_.at("close-card")(choice);
    window_->cardPlaces().reset();
  };
  actions_["theme"] = [](std::uint64_t) {
    applyTheme(*qApp, currentTheme().dark ? Theme::light() : Theme::darkTheme());
  };
  actions_["resize"] = [this](std::uint64_t choice) {
    window_->resize(1000 + static_cast<int>(choice % 900), 640 + static_cast<int>(choice % 400));
  };
  actions_["compute-panel"] = [this](std::uint64_t) { part<QPushButton>("computeButton").click(); };
  actions_["tour"] = [this](std::uint64_t choice) {
    window_->tour().start();
    auto* const overlay = window_->findChild<TourOverlay*>("tourOverlay");
    for (std::uint64_t i = 0; overlay != nullptr && i < choice % 6; ++i) {
      settle();
      QTest::keyClick(overlay, Qt::Key_Return);
    }
    window_->tour().end();
  };
}

bool Soak::startReview() {
  window_->showPage(MainWindow::Page::kReview);
  Reviewer& reviewer = window_->reviewPage().reviewer();
  if (!reviewer.obstacle().isEmpty()) {
    actions_.at("compute")(0);
    settle();
  }
  if (!reviewer.obstacle().isEmpty()) {
    return false;
  }
  if (!reviewer.active()) {
    reviewer.start();
  }
  settle();
  return reviewer.active();
}

void Soak::addLabActions() {
  const auto showLab = [this](Laboratory laboratory) {
    window_->showPage(MainWindow::Page::kLabs);
    window_->labsPage().showLaboratory(laboratory);
  };
  actions_["lab"] = [this, showLab](std::uint64_t choice) {
    showLab(laboratories()[choice % laboratories().size()].id);
    // Chains would go on for a minute.
    auto* const play =
        window_->labsPage().shownLaboratory().findChild<QPushButton*>(QStringLiteral("labPlay"));
    if (play != nullptr && play->isEnabled() && play->text() == QStringLiteral("Pause")) {
      play->click();
    }
  };
  actions_["lab-regression"] = [this, showLab](std::uint64_t choice) {
    showLab(Laboratory::kRegression);
    auto& methods = part<QListWidget>("labMethods");
    // Chains would take most of the time of the soak.
    constexpr int kQuickMethods = 9;
    for (int row = kQuickMethods; row < methods.count(); ++row) {
      methods.item(row)->setCheckState(Qt::Unchecked);
    }
    QListWidgetItem& method = *methods.item(static_cast<int>(choice % kQuickMethods));
    method.setCheckState(method.checkState() == Qt::Checked ? Qt::Unchecked : Qt::Checked);
    methods.setCurrentItem(&method);
    constexpr std::array kButtons = {"labPlay", "labStep", "labReset", "labPoints", "labErase"};
    part<QPushButton>(kButtons[choice / 9 % kButtons.size()]).click();
    if (auto* const plot = window_->findChild<BandPlot*>()) {
      const double place = fraction(choice);
      switch (choice / 45 % 3) {
        case 0:
          Q_EMIT plot->pointAdded(8.0 * place - 4.0, 100.0 * fraction(choice / 3));
          break;
        case 1:
          Q_EMIT plot->pointMoved(static_cast<int>(choice % 7), 8.0 * place - 4.0, 0.0);
          break;
        default:
          Q_EMIT plot->pointErased(static_cast<int>(choice % 7));
      }
    }
  };
}

void Soak::addReviewActions() {
  actions_["review-decide"] = [this](std::uint64_t choice) {
    if (startReview()) {
      window_->reviewPage().showMode(QStringLiteral("single"));
      settle();
      constexpr std::array kKeys = {Qt::Key_Return, Qt::Key_1, Qt::Key_7, Qt::Key_N,
                                    Qt::Key_U,      Qt::Key_S, Qt::Key_G};
      pressInReview(kKeys[choice % kKeys.size()]);
    }
  };
  actions_["review-many"] = [this](std::uint64_t choice) {
    if (startReview()) {
      window_->reviewPage().showMode(QStringLiteral("grid"));
      settle();
      for (std::uint64_t i = 0; i < choice % 3; ++i) {
        pressInReview(Qt::Key_Right);
        pressInReview(Qt::Key_Space);
      }
      pressInReview(choice / 3 % 2 == 0 ? Qt::Key_Return : Qt::Key_D);
    }
  };
  actions_["review-walk"] = [this](std::uint64_t choice) {
    if (startReview()) {
      for (std::uint64_t i = 0; i < 1 + choice / 2 % 5; ++i) {
        pressInReview(choice % 2 == 0 ? Qt::Key_D : Qt::Key_A);
      }
    }
  };
  actions_["review-undo"] = [this](std::uint64_t choice) {
    if (startReview()) {
      QTest::keyClick(
          window_.get(), Qt::Key_Z,
          choice % 3 == 0 ? Qt::ControlModifier | Qt::ShiftModifier : Qt::ControlModifier);
    }
  };
  actions_["review-queue"] = [this](std::uint64_t choice) {
    std::vector<std::string> keys;
    for (const QueueId id : allQueueKinds()) {
      const QueueNeeds& needs = describe(id).needs;
      if (!needs.draws && !needs.other_run && !needs.features) {
        keys.push_back(describe(id).key);
      }
    }
    if (startReview()) {
      window_->reviewPage().reviewer().setQueue(keys[choice % keys.size()]);
    }
  };
  actions_["review-mode"] = [this](std::uint64_t choice) {
    constexpr std::array kModes = {"single", "grid", "automatic", "learn", "results"};
    if (startReview()) {
      window_->reviewPage().showMode(QLatin1String(kModes[choice % kModes.size()]));
    }
  };
  actions_["review-hide"] = [this](std::uint64_t) {
    if (startReview()) {
      pressInReview(Qt::Key_H);
    }
  };
}

std::string Soak::state() const {
  std::ostringstream text;
  const ItemQuery& query = session().listing().query();
  text << session().models().size() << ' ' << session().datasets().size() << ' ';
  for (const AnalysisPtr& analysis : session().analyses()) {
    text << analysis->name << analysis->detail << analysis->itemCount() << ';';
  }
  for (const DatasetEntry& entry : session().datasets()) {
    text << entry.dataset->ids().size() << entry.dataset->ids().front() << ';';
  }
  text << session().activeAnalysisPosition() << ' ' << static_cast<int>(query.group)
       << static_cast<int>(query.sort) << query.descending;
  if (query.range) {
    text << " range " << static_cast<int>(query.range->measure) << query.range->range.low;
  }
  if (query.reliability_bin) {
    text << " bin " << query.reliability_bin->bin << " of " << query.reliability_bin->range.low;
  }
  if (query.cell) {
    text << " cell " << query.cell->label << query.cell->predicted;
  }
  if (const auto primary = session().listing().primary()) {
    text << " primary " << primary->part << ' ' << primary->row;
  }
  if (const ItemList& items = session().listing().items()) {
    text << " listed " << items->size() << ' ' << (items->empty() ? -1 : items->front().row);
  }
  if (const DatasetPtr shown = session().shownDataset()) {
    text << " shows " << shown->ids().front() << ' ' << session().browsedItem();
  }
  const ReliabilityOptions& reliability = session().plots().reliabilityOptions();
  text << " reliability " << reliability.bins << reliability.equal_mass << reliability.with_ood
       << reliability.of_class.value_or(-1);
  for (const Measure measure : allMeasures()) {
    text << ' ' << session().plots().threshold(measure).value_or(-1.0);
  }
  for (int group = 0; group < 4; ++group) {
    text << session().plots().groupVisible(static_cast<ItemGroup>(group));
  }
  text << ' ' << session().listing().canUndo() << session().listing().canRedo();
  for (const CardRows* const rows : window_->findChildren<CardRows*>()) {
    text << ' ' << rows->isVisible();
    for (const Card* const card : rows->cards()) {
      text << static_cast<int>(rows->place(*card)) << (rows->enlarged() == card);
    }
  }
  Reviewer& reviewer = window_->reviewPage().reviewer();
  text << " review " << reviewer.queueKey() << reviewer.queue().length() << ' '
       << reviewer.position() << ' ' << reviewer.file().labels().size() << ' '
       << reviewer.choices().hiddenShare();
  text << ' ' << currentTheme().dark << ' ' << window_->width() << 'x' << window_->height() << ' '
       << part<QPushButton>("computeButton").isChecked();
  return text.str();
}

}  // namespace

class SoakTest : public QObject {
  Q_OBJECT

 private:
  static std::uint64_t number(const char* variable, std::uint64_t otherwise) {
    const char* const text = std::getenv(variable);
    return text == nullptr || *text == '\0' ? otherwise : std::strtoull(text, nullptr, 10);
  }
  static void writeRuns(const TempDir& files) {
    const std::array<AnalysisPtr, 3> analyses = {sampleAnalysis(), sampleAnalysisWithoutDraws(),
                                                 sampleAnalysis()};
    for (std::size_t i = 0; i < analyses.size(); ++i) {
      RunContext context;
      Run run = *analyses[i]->in().run;
      run.meta.seed = i;
      QVERIFY(writeRun(run, files.file("run" + std::to_string(i) + ".npz"), context));
    }
  }

 private Q_SLOTS:
  void everyActionFindsAWindowThatLives() {
    const TempDir files;
    writeRuns(files);
    const std::uint64_t wanted = number("DUBITO_SOAK_ACTIONS", 150);
    std::mt19937_64 random(number("DUBITO_SOAK_SEED", 1));
    const char* const log = std::getenv("DUBITO_SOAK_LOG");
    Soak soak(files);
    std::vector<SoakAction> actions;
    if (log != nullptr) {
      actions = readLog(log);
    } else {
      // Every kind in turn, in a new order each time, so that none is rare.
      std::vector<std::string> kinds = soak.kinds();
      while (actions.size() < wanted) {
        std::shuffle(kinds.begin(), kinds.end(), random);
        for (const std::string& kind : kinds) {
          actions.push_back({kind, random() % 1000003});
        }
      }
      actions.resize(wanted);
    }
    std::map<std::string, int> performed;
    std::map<std::string, int> changed;
    std::ofstream written(files.file("soak.log"));
    std::string before = soak.state();
    for (const SoakAction& action : actions) {
      written << action.kind << ' ' << action.choice << std::endl;
      soak.perform(action);
      const std::string after = soak.state();
      ++performed[action.kind];
      changed[action.kind] += after != before ? 1 : 0;
      before = after;
    }
    int changes = 0;
    for (const auto& [kind, count] : performed) {
      std::printf("%-20s %6d performed, %6d changed the state\n", kind.c_str(), count,
                  changed[kind]);
      changes += changed[kind];
    }
    const double share = static_cast<double>(changes) / static_cast<double>(actions.size());
    std::printf("%zu actions, %.1f %% changed the state\n", actions.size(), 100.0 * share);
    QVERIFY(share >= 0.8);
  }

  void theLogOfASoakReplays() {
    const TempDir files;
    writeRuns(files);
    const std::uint64_t wanted = number("DUBITO_SOAK_REPLAYED", 60);
    std::vector<std::string> states;
    {
      Soak soak(files);
      std::mt19937_64 random(number("DUBITO_SOAK_SEED", 7));
      const std::vector<std::string> kinds = soak.kinds();
      std::ofstream log(files.file("soak.log"));
      for (std::uint64_t i = 0; i < wanted; ++i) {
        const SoakAction action{kinds[random() % kinds.size()], random() % 1000003};
        log << action.kind << ' ' << action.choice << '\n';
        soak.perform(action);
        states.push_back(soak.state());
      }
    }
    Soak again(files);
    const std::vector<SoakAction> actions = readLog(files.file("soak.log"));
    QCOMPARE(actions.size(), states.size());
    for (std::size_t i = 0; i < actions.size(); ++i) {
      again.perform(actions[i]);
      // The first action that ends otherwise is the one to look at.
      const std::string state = again.state();
      QVERIFY2(state == states[i],
               ("action " + std::to_string(i) + ", " + actions[i].kind + ' ' +
                std::to_string(actions[i].choice) + "\nthen:  " + states[i] + "\nagain: " + state)
                   .c_str());
    }
  }
};

}  // namespace dubito::test

#include "soak_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::SoakTest)

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/study/study_page.h"

#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/shell/error_banner.h"
#include "app/shell/file_drop.h"
#include "app/shell/page_stack.h"
#include "app/study/study_curve_values.h"
#include "app/study/study_editor.h"
#include "app/study/study_field_text.h"
#include "app/study/study_form.h"
#include "app/study/study_json_view.h"
#include "app/study/study_templates.h"
#include "core/study/study_spec.h"
#include "tests/app/support/test_window.h"
#include "tests/core/study/tiny_study.h"
#include "tests/support/shared_data.h"
#include "widgets/card.h"
#include "widgets/compare_table.h"
#include "widgets/curve_plot.h"
#include "widgets/options_form.h"

namespace dubito::test {

namespace fs = std::filesystem;
using nlohmann::json;

/// A small study is computed by the window once; its folder is shown, damaged and opened.
class StudyPageTest : public QObject, private TestWindow {
  Q_OBJECT

 private:
  std::unique_ptr<TempDir> study_;  ///< has the folder "out" of a finished study

  StudyPage& page() { return window_->pages().study(); }
  StudyEditor& editor() { return page().editor(); }
  QString status() { return part<QLabel>("studyStatus").text(); }
  QStringList messages() { return window_->findChild<ErrorBanner*>()->messages(); }
  CompareTable& table() { return part<CompareTable>("studyTable"); }
  QString out() { return QString::fromStdString(study_->file("out")); }
  json tables() { return json::parse(readBytes(study_->file("out/table.json"))); }

  void waitForRest() { QTRY_VERIFY_WITH_TIMEOUT(!page().busy(), kPatience); }
  void openStudy() {
    page().openFolder(out());
    QTRY_VERIFY_WITH_TIMEOUT(page().view().study() != nullptr, kPatience);
  }
  void choose(const char* list, int index) { part<QComboBox>(list).setCurrentIndex(index); }
  void chooseKind(int kind) { Q_EMIT part<Card>("studyTableCard").choiceMade(kind); }
  /// The entry of table.json for a row of the table that is shown.
  static const json& entryOf(const json& all, const std::string& target, const QString& row) {
    for (const json& entry : all.at("rows")) {
      const QString name = QString::fromStdString(entry.at("network").get<std::string>() + "/" +
                                                  entry.at("method").get<std::string>());
      if (entry.at("target") == target && (row == name || row.startsWith(name + " ("))) {
        return entry;
      }
    }
    qFatal("no row %s", qPrintable(row));
  }
  /// As a person types: into the field, key by key.
  void type(const char* field, const QString& text) {
    auto& edit = part<QLineEdit>(field);
    edit.selectAll();
    edit.del();
    Q_EMIT edit.textEdited({});
    QTest::keyClicks(&edit, text);
  }
  void pick(const char* list, const QString& key) {
    auto& box = part<QComboBox>(list);
    const int index = box.findData(key);
    QVERIFY2(index >= 0, qPrintable(key));
    box.setCurrentIndex(index);
    Q_EMIT box.activated(index);
  }
  void press(const char* name) {
    auto& button = part<QPushButton>(name);
    QVERIFY2(button.isEnabled(), name);
    button.click();
  }
  void setStudy(const json& study) {
    StudyDraft draft;
    draft.setText(study.dump(1));
    editor().setStudy(std::move(draft), {});
    part<QPushButton>("studyShowEditor").click();
  }
  [[nodiscard]] StudyJson document() { return *editor().draft().document(); }

 private Q_SLOTS:
  void initTestCase() {
    study_ = std::make_unique<TempDir>();
    init();
    setStudy(tinyStudy());
    editor().setFolder(out());
    QVERIFY2(part<QPushButton>("studyRun").isEnabled(), qPrintable(status()));
    QStringList stages;
    connect(&page().runner(), &StudyRunner::progressed, &page(),
            [&](const Progress& progress) { stages << QString::fromStdString(progress.stage); });
    page().run();
    QVERIFY(page().runner().running());
    QVERIFY(!part<QPushButton>("studyRun").isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(page().view().study() != nullptr || !messages().isEmpty(),
                             4 * kPatience);
    QVERIFY2(messages().isEmpty(), qPrintable(messages().join('\n')));
    waitForRest();
    QVERIFY2(!stages.filter("network 1 of").isEmpty(), qPrintable(stages.join('\n')));
    // It ends with the results on the screen, and its file next to them.
    QCOMPARE(part<QStackedWidget>("studyParts").currentWidget(),
             part<Card>("studyResultsCard").parentWidget());
    QCOMPARE(json::parse(readBytes(study_->file("out/study.json"))), tinyStudy());
    cleanup();
  }
  void init() {
    openFolder();
    openWindow();
    window_->showPage(PageId::kStudy);
  }
  void cleanup() { closeAll(); }

  void withoutAStudyThePageSaysWhatOneIs() {
    QVERIFY(part<Card>("studyStartCard").isVisible());
    QVERIFY(!part<QPushButton>("studyShowResults").isEnabled());
    QVERIFY(!part<QPushButton>("studyRun").isEnabled());
    window_->showPage(PageId::kOverview);
    QTest::keyClick(window_.get(), Qt::Key_8, Qt::ControlModifier);
    QCOMPARE(window_->page(), PageId::kStudy);
    QTest::keyClick(window_.get(), Qt::Key_9, Qt::ControlModifier);
    QCOMPARE(window_->page(), PageId::kLabs);
  }

  void theFileOfAnOpenedStudyIsInTheSetUp() {
    openStudy();
    QTRY_VERIFY_WITH_TIMEOUT(!page().busy(), kPatience);
    QCOMPARE(json::parse(editor().draft().text()), tinyStudy());
    QCOMPARE(editor().folder(), out());
    QVERIFY(part<Card>("studyResultsCard").isVisible());
    part<QPushButton>("studyShowEditor").click();
    QVERIFY2(part<QPushButton>("studyRun").isEnabled(), qPrintable(status()));
    // What a person has written is not replaced.
    page().startNew(QStringLiteral("empty"));
    const std::string mine = editor().draft().text();
    editor().setFolder({});
    openStudy();
    QTRY_VERIFY_WITH_TIMEOUT(!page().busy(), kPatience);
    QCOMPARE(editor().draft().text(), mine);
    QCOMPARE(editor().folder(), QString());
  }

  void theTableHasTheNumbersOfTheFile() {
    openStudy();
    const json all = tables();
    const StudyFolder& study = *page().view().study();
    QCOMPARE(part<QComboBox>("studyTarget").count(), 2);
    for (int target = 0; target < 2; ++target) {
      choose("studyTarget", target);
      const CompareTableValue& value = table().value();
      QCOMPARE(value.rows.size(), std::size_t{8});
      QCOMPARE(value.columns.size(), studyColumns().size());
      for (const CompareTableValue::Row& row : value.rows) {
        const json& entry =
            entryOf(all, study.targets[static_cast<std::size_t>(target)].name, row.name);
        for (std::size_t c = 0; c < studyColumns().size(); ++c) {
          const json& column = entry.at("columns").at(studyColumns()[c].key);
          QCOMPARE(row.cells[c].value, column.at("mean").get<double>());
          QCOMPARE(value.columns[c].high_is_good, std::optional(studyColumns()[c].high_is_good));
        }
        const QString accuracy =
            QStringLiteral("%1 ± %2 %")
                .arg(100.0 * entry.at("columns").at("accuracy").at("mean").get<double>(), 0, 'f', 2)
                .arg(100.0 * entry.at("columns").at("accuracy").at("std_dev").get<double>(), 0, 'f',
                     2);
        QCOMPARE(row.cells[0].text, accuracy);
      }
      QCOMPARE(value.rows[0].name, QStringLiteral("plain/map (baseline)"));
    }
    QVERIFY(part<Card>("studyResultsCard")
                .subtitle()
                .startsWith("8 rows · 2 targets · 1 OOD set · 2 seeds"));
  }

  void differencesHaveTheirIntervals() {
    openStudy();
    choose("studyTarget", 1);
    chooseKind(1);
    const json all = tables();
    const CompareTableValue& value = table().value();
    QCOMPARE(value.columns.size(), std::size_t{6});
    QVERIFY(std::isnan(value.rows[0].cells[0].value));  // the baseline itself
    for (std::size_t i = 1; i < value.rows.size(); ++i) {
      const json& one = entryOf(all, "noise 1", value.rows[i].name).at("differences").at("nll");
      QCOMPARE(value.rows[i].cells[4].value, one.at("difference").get<double>());
      QCOMPARE(value.rows[i].cells[5].value, one.at("p").get<double>());
      QVERIFY2(value.rows[i].cells[4].text.contains(
                   QString::number(one.at("low").get<double>(), 'f', 4)),
               qPrintable(value.rows[i].cells[4].text));
    }
  }

  void brokenGuaranteesAreMarkedAndCounted() {
    openStudy();
    choose("studyTarget", 1);
    chooseKind(2);
    const json all = tables();
    bool has_broken = false;
    for (const CompareTableValue::Row& row : table().value().rows) {
      const json& labelling = entryOf(all, "noise 1", row.name).at("labelling");
      QCOMPARE(row.cells.size(), 2 * labelling.size());
      for (std::size_t i = 0; i < labelling.size(); ++i) {
        const json& one = labelling[i];
        QCOMPARE(row.cells[2 * i].value, one.at("share").at("mean").get<double>());
        const bool is_broken = one.at("kept").at("n") > 0 &&
                               one.at("kept").at("mean").get<double>() < one.at("promised");
        QCOMPARE(row.cells[2 * i + 1].is_warning, is_broken);
        has_broken = has_broken || is_broken;
      }
    }
    QVERIFY(has_broken);
    int broken = 0;
    int kept = 0;
    for (const char* const target : {"clean", "noise 1"}) {
      for (const json& one : entryOf(all, target, "plain/map").at("labelling")) {
        if (one.at("rule") == "source" && one.at("promised") == 0.95 &&
            one.at("kept").at("n") > 0) {
          ++(one.at("kept").at("mean").get<double>() < 0.95 ? broken : kept);
        }
      }
    }
    const BrokenGuarantees counted = brokenGuarantees(*page().view().study(), 0, 0.95);
    QCOMPARE(counted.headline,
             broken + kept == 0
                 ? QString()
                 : QStringLiteral("source: %1 of %2 broken").arg(broken).arg(broken + kept));
    // The guarantee is the line that the curves of the rules should not cross.
    const CurvePlotValue& kept_curves = part<CurvePlot>("studyGuarantees").curves();
    QCOMPARE(kept_curves.baseline, std::optional(0.5));
    QVERIFY(!kept_curves.curves.empty());
  }

  void rowsThatAreRetrainedAreListed() {
    openStudy();
    choose("studyTarget", 1);
    chooseKind(3);
    const CompareTableValue& value = table().value();
    QCOMPARE(value.rows.size(), std::size_t{1});
    const json all = tables();
    const json& retraining = entryOf(all, "noise 1", value.rows[0].name).at("retraining");
    QCOMPARE(value.rows[0].cells.size(), 5 * retraining.size());
    QCOMPARE(value.rows[0].cells[1].value, retraining[0].at("before").at("mean").get<double>());
  }

  void curvesFollowTheSeverity() {
    openStudy();
    const json all = tables();
    Q_EMIT part<Card>("studyCurvesCard").choiceMade(3);  // ECE
    const CurvePlotValue& plot = part<CurvePlot>("studyCurves").curves();
    QCOMPARE(plot.x_label, QStringLiteral("severity of noise"));
    QCOMPARE(plot.y_label, QStringLiteral("ECE"));
    QCOMPARE(plot.curves.size(), std::size_t{8});
    int coloured = 0;
    for (const StyledCurve& curve : plot.curves) {
      const QString name = QString::fromStdString(curve.curve.name);
      QCOMPARE(curve.curve.x, (std::vector<double>{0.0, 1.0}));
      for (int i = 0; i < 2; ++i) {
        const json& ece = entryOf(all, i == 0 ? "clean" : "noise 1", name).at("columns").at("ece");
        QCOMPARE(curve.curve.y[static_cast<std::size_t>(i)], ece.at("mean").get<double>());
        if (curve.role == StyledCurve::Role::kRun) {
          const Interval& interval = curve.intervals[static_cast<std::size_t>(i)];
          QVERIFY(std::abs(interval.high - interval.low - 2.0 * ece.at("std_dev").get<double>()) <
                  1e-12);
        }
      }
      coloured += curve.role == StyledCurve::Role::kRun ? 1 : 0;
    }
    QVERIFY(coloured == 1 || coloured == 2);  // the baseline, and the best row
    table().selectRow(3);
    const auto& after = part<CurvePlot>("studyCurves").curves().curves;
    QVERIFY(std::ranges::any_of(after, [&](const StyledCurve& curve) {
      return curve.role == StyledCurve::Role::kRun &&
             QString::fromStdString(curve.curve.name) == table().value().rows[3].name;
    }));
  }

  void runsBecomeOrdinaryRuns() {
    openStudy();
    choose("studyTarget", 1);
    choose("studySeed", 1);
    table().selectRow(5);
    const QString row = table().value().rows[5].name;
    press("studyOpenRuns");
    QTRY_COMPARE_WITH_TIMEOUT(session().analyses().size(), std::size_t{1}, kPatience);
    QTRY_COMPARE(window_->page(), PageId::kOverview);
    const Analysis& opened = *session().activeAnalysis();
    QCOMPARE(QString::fromStdString(session().runLabel(0).name),
             QStringLiteral("%1 on noise 1, seed 2").arg(row));
    QCOMPARE(opened.parts.size(), std::size_t{2});
    QCOMPARE(opened.parts[0].name, std::string("noise 1"));
    QCOMPARE(opened.parts[1].name, std::string("moons"));
    QCOMPARE(opened.in().run->itemCount(), std::int64_t{150});
    QVERIFY(opened.in().dataset != nullptr);
    QVERIFY(!session().isUnsaved(opened));
    const json all = tables();
    const json& entry = entryOf(all, "noise 1", row);
    const double mean = entry.at("columns").at("accuracy").at("mean").get<double>();
    const double spread = entry.at("columns").at("accuracy").at("std_dev").get<double>();
    // Of two values, both are one standard deviation / sqrt(2) from the mean.
    QVERIFY(std::abs(std::abs(*opened.evaluation.accuracy - mean) - spread / std::sqrt(2.0)) <
            1e-9);
    // Those that are open are shown again.
    window_->showPage(PageId::kStudy);
    press("studyOpenRuns");
    QTRY_COMPARE(window_->page(), PageId::kOverview);
    QCOMPARE(session().analyses().size(), std::size_t{1});
    // Another seed is another run.
    window_->showPage(PageId::kStudy);
    choose("studySeed", 0);
    press("studyOpenRuns");
    QTRY_COMPARE_WITH_TIMEOUT(session().analyses().size(), std::size_t{2}, kPatience);
    QVERIFY(messages().isEmpty());
  }

  void aFolderThatIsDroppedOrPassedIsShown() {
    window_->showPage(PageId::kOverview);
    window_->fileDrop().open({out()}, false);
    QTRY_VERIFY_WITH_TIMEOUT(page().view().study() != nullptr, kPatience);
    QCOMPARE(window_->page(), PageId::kStudy);
    QVERIFY(session().datasets().empty());
    QVERIFY(window_->workbench().opener().recentFiles().list().contains(out()));
  }

  void theReportIsExportedAsPdf() {
    QVERIFY(!part<QPushButton>("exportButton").isEnabled());
    openStudy();
    QVERIFY(part<QPushButton>("exportButton").isEnabled());
    const std::string pdf = study_->file("out/report.pdf");
    fs::remove(pdf);
    part<QAction>("exportStudyReport").trigger();
    QTRY_VERIFY_WITH_TIMEOUT(fs::exists(pdf), kPatience);
    QVERIFY(readBytes(pdf).starts_with("%PDF"));
    QVERIFY(messages().isEmpty());
  }

  void aDamagedFolderIsOneMessage() {
    openStudy();
    const StudyFolderPtr before = page().view().study();
    const std::string damaged = dir_->file("damaged");
    fs::create_directories(damaged + "/runs");
    std::string text = readBytes(study_->file("out/table.json"));
    writeBytes(damaged + "/table.json", text.substr(0, text.size() / 2));
    page().openFolder(QString::fromStdString(damaged));
    QTRY_COMPARE_WITH_TIMEOUT(messages().size(), 1, kPatience);
    QVERIFY2(messages()[0].contains("table.json"), qPrintable(messages()[0]));
    QCOMPARE(page().view().study(), before);
    // Runs that are gone are a message when they are opened.
    json gone = json::parse(text);
    gone.erase("checksum");  // a file of before there were any
    for (json& row : gone["rows"]) {
      for (json& run : row["runs"]) {
        run["file"] = "runs/gone.npz";
      }
    }
    writeBytes(damaged + "/table.json", gone.dump());
    page().openFolder(QString::fromStdString(damaged));
    QTRY_VERIFY_WITH_TIMEOUT(page().view().study() != before, kPatience);
    press("studyOpenRuns");
    QTRY_COMPARE_WITH_TIMEOUT(messages().size(), 2, kPatience);
    QVERIFY2(messages()[0].contains("gone.npz"), qPrintable(messages()[0]));
    QVERIFY(session().analyses().empty());
  }

  void theFormMakesTheStudy() {
    page().startNew(QStringLiteral("empty"));
    editor().form().showSection(StudyForm::Section::kData);
    type("studyName", "Blobs");
    type("studySource", "synthetic:blobs?n=300&seed=1");
    type("studyValidation", "0.25");
    type("studyAdaptation", "synthetic:blobs?n=80&seed=3&corrupt=noise:1");
    type("studySeeds", "4, 5");
    editor().form().showSection(StudyForm::Section::kTargets);
    press("studyTargetsAdd");
    type("studyTargetName", "clean");
    type("studyTargetData", "synthetic:blobs?n=150&seed=4");
    choose("studySeriesKind", part<QComboBox>("studySeriesKind").findText("noise"));
    part<QSpinBox>("studySeriesLast").setValue(2);
    press("studyAddSeries");
    editor().form().showSection(StudyForm::Section::kOod);
    press("studyOodAdd");
    type("studyOodName", "moons");
    type("studyOodData", "synthetic:moons?n=100");
    editor().form().showSection(StudyForm::Section::kNetworks);
    part<QListWidget>("studyNetworksList").setCurrentRow(0);
    auto& network = part<OptionsForm>("studyNetworkForm");
    auto& architecture = *network.findChild<QComboBox*>("architecture");
    architecture.setCurrentIndex(architecture.findText("mlp"));
    Q_EMIT architecture.activated(architecture.currentIndex());
    editor().form().showSection(StudyForm::Section::kMethods);
    press("studyMethodsAdd");
    type("studyMethodName", "dropout");
    pick("studyMethodKind", "mc-dropout");
    auto& draws = *part<OptionsForm>("studyMethodForm").findChild<QWidget*>("draws");
    QTest::keyClick(&draws, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(&draws, "7");
    press("studyMethodsAdd");
    type("studyMethodName", "laplace");
    pick("studyMethodKind", "laplace");
    pick("studyMethodFit", "adaptation");
    type("studyMethodGrid", R"({"tau": [1, 10]})");
    editor().form().showSection(StudyForm::Section::kMeasures);
    type("studyBaseline", "plain/map");
    type("studyLabelling", "0.5, 0.95");
    type("studyRetraining", "plain/map");
    pick("studyRetrainedLayers", "all");
    type("studyBudget", "20");
    QVERIFY2(!editor().draft().problem(), editor().draft().problem()->message.c_str());
    const json made = json::parse(part<QPlainTextEdit>("studyJson").toPlainText().toStdString());
    const json expected = json::parse(R"({
      "name": "Blobs", "source": "synthetic:blobs?n=300&seed=1", "validation": 0.25,
      "adaptation": "synthetic:blobs?n=80&seed=3&corrupt=noise:1", "seeds": [4, 5],
      "targets": [
        {"name": "clean", "data": "synthetic:blobs?n=150&seed=4", "shift": "noise", "severity": 0},
        {"name": "clean, noise 1", "data": "synthetic:blobs?n=150&seed=4&corrupt=noise:1",
         "shift": "noise", "severity": 1},
        {"name": "clean, noise 2", "data": "synthetic:blobs?n=150&seed=4&corrupt=noise:2",
         "shift": "noise", "severity": 2}],
      "ood": [{"name": "moons", "data": "synthetic:moons?n=100"}],
      "networks": [{"name": "plain", "train": {"architecture": "mlp", "epochs": 5}}],
      "methods": [
        {"name": "map", "network": "all", "method": "map"},
        {"name": "dropout", "network": "all", "method": "mc-dropout", "options": {"draws": 7}},
        {"name": "laplace", "network": "all", "method": "laplace", "fit_on": "adaptation",
         "grid": {"tau": [1, 10]}}],
      "baseline": "plain/map", "labelling": {"targets": [0.5, 0.95]},
      "retraining": {"rows": ["plain/map"], "layers": "all", "budget": 20}})");
    QCOMPARE(QString::fromStdString(made.dump(1)), QString::fromStdString(expected.dump(1)));
    const auto spec = parseStudy(editor().draft().text(), "made");
    QVERIFY(spec.has_value());
    QCOMPARE(spec->rows.size(), std::size_t{3});
    // Without guarantees there is no labelling; the retraining that needs it is the next error.
    type("studyLabelling", "");
    QVERIFY(!document().contains("labelling"));
    QVERIFY(editor().draft().problem()->message.find("retraining") != std::string::npos);
    type("studyRetraining", "");
    QVERIFY(!editor().draft().problem());
    QVERIFY(!document().contains("retraining"));
    // A group whose only value is taken back goes, too.
    type("studyBudget", "20");
    QCOMPARE(document().at("retraining").size(), std::size_t{1});
    type("studyBudget", "");
    QVERIFY(!document().contains("retraining"));
  }

  void theTextAndTheFormAreInStep() {
    page().startNew(QStringLiteral("sample"));
    QVERIFY2(!editor().draft().problem(), editor().draft().problem()->message.c_str());
    auto& text = part<QPlainTextEdit>("studyJson");
    QString changed = text.toPlainText();
    changed.replace(R"("epochs": 3, "dropout": "none")", R"("epochs": 9, "dropout": "none")");
    text.setPlainText(changed);
    QCOMPARE(document()["networks"][0]["train"]["epochs"], 9);
    part<QListWidget>("studyNetworksList").setCurrentRow(0);
    QVERIFY(part<QListWidget>("studyNetworksList").item(0)->text().startsWith("plain"));
    auto& epochs = *part<OptionsForm>("studyNetworkForm").findChild<QWidget*>("epochs");
    QCOMPARE(epochs.property("text").toString(), QStringLiteral("9"));
    // A head instead.
    pick("studyNetworkHow", "head");
    QCOMPARE(document()["networks"][0],
             (StudyJson{{"name", "plain"}, {"head", {{"backbone", ""}}}}));
    QVERIFY(editor().draft().problem().has_value());
    type("studyBackbone", "net.pt");
    QVERIFY2(!editor().draft().problem(), editor().draft().problem()->message.c_str());
    // Another method has other options.
    part<QListWidget>("studyMethodsList").setCurrentRow(2);
    QVERIFY(document()["methods"][2].contains("options"));
    pick("studyMethodKind", "map");
    QVERIFY(!document()["methods"][2].contains("options"));
    QVERIFY2(!editor().draft().problem(), editor().draft().problem()->message.c_str());
    // Removing the last OOD set leaves a study without any.
    part<QListWidget>("studyOodList").setCurrentRow(0);
    press("studyOodRemove");
    QVERIFY(document()["ood"].empty());
  }

  void anErrorIsShownAtItsLine() {
    page().startNew(QStringLiteral("sample"));
    editor().setFolder(QString::fromStdString(dir_->file("out")));
    QVERIFY(part<QPushButton>("studyRun").isEnabled());
    auto& text = part<QPlainTextEdit>("studyJson");
    const QString fine = text.toPlainText();
    text.setPlainText(QString(fine).replace("\"epochs\"", "\"epoks\""));
    const QStringList lines = text.toPlainText().split('\n');
    const auto wrong =
        std::ranges::find_if(lines, [](const QString& line) { return line.contains("epoks"); });
    const int expected = static_cast<int>(wrong - lines.begin()) + 1;
    QCOMPARE(window_->findChild<StudyJsonView*>()->markedLine(), expected);
    QVERIFY2(part<QLabel>("studyProblem").text().contains("epoks"),
             qPrintable(part<QLabel>("studyProblem").text()));
    QVERIFY(!part<QPushButton>("studyRun").isEnabled());
    page().run();
    QVERIFY(!page().runner().running());
    // Not JSON at all: the form waits.
    text.setPlainText(fine.left(fine.size() / 2));
    QVERIFY(editor().draft().document() == nullptr);
    QVERIFY(!part<QLineEdit>("studyName").isEnabled());
    QVERIFY(!part<QLabel>("studyProblem").text().isEmpty());
    text.setPlainText(fine);
    QVERIFY(part<QLineEdit>("studyName").isEnabled());
    QCOMPARE(window_->findChild<StudyJsonView*>()->markedLine(), 0);
    QVERIFY(part<QPushButton>("studyRun").isEnabled());
    QVERIFY(messages().isEmpty());
  }

  void aStudyFileIsSavedAndOpened() {
    page().startNew(QStringLiteral("sample"));
    const QString path = QString::fromStdString(dir_->file("mine.json"));
    editor().setNextFileName(path);
    press("studySave");
    QVERIFY(parseStudy(readBytes(path.toStdString()), "mine").has_value());
    page().startNew(QStringLiteral("empty"));
    page().setNextFileName(path);
    press("studyOpenFile");
    QTRY_COMPARE_WITH_TIMEOUT(part<QLineEdit>("studyName").text(),
                              QStringLiteral("Digits that turn"), kPatience);
    page().openFile(QString::fromStdString(dir_->file("none.json")));
    QTRY_COMPARE_WITH_TIMEOUT(messages().size(), 1, kPatience);
  }

  void whatIsOpenMakesAStudy() {
    const std::string base = (sourceDir() / "datasets/samples/mnist-2000").string();
    const std::string other = (sourceDir() / "datasets/samples/kmnist-1000").string();
    window_->workbench().opener().open(
        {{(sourceDir() / "tests/data/models/scripted.pt").string(), FileKind::kModel, false, {}},
         {"idx:" + base + "-images-idx3-ubyte.gz?items=0:1000", FileKind::kDataset, false, {}},
         {"idx:" + other + "-images-idx3-ubyte.gz", FileKind::kDataset, true, {}}});
    QTRY_COMPARE_WITH_TIMEOUT(session().datasets().size(), std::size_t{2}, kPatience);
    page().startNew(QStringLiteral("open"));
    QVERIFY2(!editor().draft().problem(), editor().draft().problem()->message.c_str());
    const auto spec = parseStudy(editor().draft().text(), "open");
    QCOMPARE(spec->targets.size(), std::size_t{6});
    QCOMPARE(spec->ood.size(), std::size_t{1});
    QVERIFY(!spec->networks.front().isTrained());
    // No item is used twice.
    QVERIFY(spec->source.spec.ends_with("?items=0:400"));
    QVERIFY2(spec->adaptation->spec.ends_with("?items=400:500&corrupt=rotation:3"),
             spec->adaptation->spec.c_str());
    QVERIFY(spec->targets[0].spec.ends_with("?items=500:1000"));
    QVERIFY(spec->targets[5].spec.ends_with("?items=500:1000&corrupt=rotation:5"));
  }

  void textsOfFieldsAreValues() {
    using Kind = StudyFieldKind;
    QCOMPARE(valueOfText("0.2", Kind::kTextOrNumber), StudyJson(0.2));
    QCOMPARE(valueOfText("idx:a", Kind::kTextOrNumber), StudyJson("idx:a"));
    QCOMPARE(valueOfText(" a, b ,", Kind::kTexts), (StudyJson{"a", "b"}));
    QCOMPARE(valueOfText("all", Kind::kTexts), StudyJson("all"));
    QCOMPARE(valueOfText("1, x", Kind::kNumbers), (StudyJson{1, "x"}));
    QVERIFY(valueOfText("  ", Kind::kText).is_null());
    const StudyJson list{1, 2.5};
    QCOMPARE(textOfValue(&list, Kind::kNumbers), QStringLiteral("1, 2.5"));
    QCOMPARE(textOfValue(nullptr, Kind::kText), QString());
    // A variable whose value has options.
    const StudyJson document{
        {"variables", {{"digits", "idx:a.gz?items=0:9"}, {"plain", "idx:a.gz"}}}};
    QCOMPARE(withDatasetOption("${digits}", "corrupt=blur:1", document),
             std::string("${digits}&corrupt=blur:1"));
    QCOMPARE(withDatasetOption("${plain}", "corrupt=blur:1", document),
             std::string("${plain}?corrupt=blur:1"));
  }

  void aCancelledStudyContinues() {
    json slow = tinyStudy();
    for (json& network : slow["networks"]) {
      network["train"]["epochs"] = 4000;
    }
    setStudy(slow);
    editor().setFolder(QString::fromStdString(dir_->file("cancelled")));
    bool has_begun = false;
    connect(&page().runner(), &StudyRunner::progressed, &page(), [&](const Progress& progress) {
      has_begun = has_begun || progress.stage.find("network") != std::string::npos;
    });
    press("studyRun");
    QTRY_VERIFY_WITH_TIMEOUT(has_begun, kPatience);
    press("studyCancel");
    QTRY_VERIFY_WITH_TIMEOUT(!page().runner().running(), kPatience);
    QVERIFY2(status().startsWith("Cancelled"), qPrintable(status()));
    QVERIFY(page().view().study() == nullptr);
    QVERIFY(messages().isEmpty());
    // The same folder, at once, with the study of before.
    fs::copy(study_->file("out/runs"), dir_->file("cancelled/runs"),
             fs::copy_options::recursive | fs::copy_options::skip_existing);
    setStudy(tinyStudy());
    page().run();
    QTRY_VERIFY_WITH_TIMEOUT(page().view().study() != nullptr, 4 * kPatience);
    QCOMPARE(page().view().study()->rows.size(), std::size_t{8});
    QVERIFY2(messages().isEmpty(), qPrintable(messages().join('\n')));
  }

  void whatCannotRunSaysWhy() {
    setStudy(tinyStudy());
    QVERIFY2(status().startsWith("Choose a folder"), qPrintable(status()));
    // A folder with other files.
    fs::create_directories(dir_->file("mine"));
    writeBytes(dir_->file("mine/letter.txt"), "dear");
    editor().setFolder(QString::fromStdString(dir_->file("mine")));
    press("studyRun");
    QTRY_COMPARE_WITH_TIMEOUT(messages().size(), 1, kPatience);
    QVERIFY2(messages()[0].contains("choose a new folder"), qPrintable(messages()[0]));
    QVERIFY(!fs::exists(dir_->file("mine/study.json")));
    // Data that is not there: the message of the program.
    json study = tinyStudy();
    study["source"] = "idx:/nowhere/images.gz";
    setStudy(study);
    editor().setFolder(QString::fromStdString(dir_->file("new")));
    press("studyRun");
    QTRY_COMPARE_WITH_TIMEOUT(messages().size(), 2, kPatience);
    QVERIFY2(messages()[0].contains("/nowhere/images.gz"), qPrintable(messages()[0]));
    waitForRest();
    // No program.
    page().runner().setProgram(dir_->file("no-such-program"));
    press("studyRun");
    QTRY_COMPARE_WITH_TIMEOUT(messages().size(), 3, kPatience);
    QVERIFY2(messages()[0].contains("no-such-program"), qPrintable(messages()[0]));
  }
};

}  // namespace dubito::test

#include "study_page_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::StudyPageTest)

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/labs_page.h"

#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QImage>
#include <QLabel>
#include <QListWidget>
#include <QMap>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "app/labs/animated_png.h"
#include "app/labs/figures/lab_figures.h"
#include "app/labs/regression/lab_regression.h"
#include "app/shell/error_banner.h"
#include "app/shell/page_stack.h"
#include "core/labs/data/regression_sets.h"
#include "tests/app/support/lab_window.h"
#include "tests/support/gui_test.h"
#include "tests/widgets/plot_fixture.h"
#include "widgets/band_plot.h"
#include "widgets/card.h"
#include "widgets/compare_table.h"

namespace dubito::test {

/// The page Labs in the real window.
class LabsPageTest : public QObject, private LabWindow<LabRegression> {
  Q_OBJECT

 private Q_SLOTS:
  void init() { openLaboratory(Laboratory::kRegressionMethods); }
  void cleanup() { closeAll(); }

  void theFirstPictureComesByItself() {
    QTRY_VERIFY_WITH_TIMEOUT(!runner().entries().empty() && runner().entries()[0].picture,
                             kPatience);
    const BandPlot& plot = part<BandPlot>("labPlot0");
    QCOMPARE(plot.value().point_x.size(), std::size_t{100});
    QVERIFY(plot.value().truth.has_value());
    QVERIFY(!part<QWidget>("workspacePanel").isVisible());
  }

  void methodsComeAndGo() {
    choose({"gp", "blr"});
    QCOMPARE(runner().entries().size(), std::size_t{2});
    QCOMPARE(part<Card>("labPlotCard1").title(), "Bayesian linear regression");
    finish();
    const auto first = runner().entries()[0].picture;
    choose({"gp"});
    QCOMPARE(runner().entries().size(), std::size_t{1});
    // What has finished is not computed again.
    QCOMPARE(runner().entries()[0].picture, first);
    choose({});
    QVERIFY(runner().entries().empty());
    QVERIFY(!window_->pages().labs().busy());
  }

  void resultsAreThoseOfTheCommandLine() {
    choose({"blr"});
    finish();
    RunContext context;
    const auto data = openRegressionData("sine", 100, 0, context);
    const auto method = findRegressionMethod("blr")->make();
    auto alone = RegressionLab::start(*data, *method, {}, 0);
    QVERIFY(alone);
    QVERIFY(alone->advance(alone->total(), context));
    const auto expected = alone->picture(context);
    QCOMPARE(runner().entries()[0].picture->mean, expected->mean);
    QCOMPARE(runner().entries()[0].picture->scores.log_likelihood, expected->scores.log_likelihood);
  }

  void framesAreNumberedPicturesOfWhatChanges() {
    choose({"blr"});
    finish();
    // The scores follow the last curve after a delay, with no signal; then nothing changes.
    QTRY_COMPARE(part<CompareTable>("labScores").value().rows.size(), std::size_t{1});
    QTest::qWait(300);
    const TempDir dir;
    const QString folder = QString::fromStdString(dir.file("film"));
    FrameRecorder& recorder = window_->pages().labs().recorder();
    window_->pages().labs().setNextFileName(folder);
    const QSize shown = window_->pages().labs().shownLaboratory().recordedPart().size();
    part<QAction>("labRecordFrames").trigger();
    QVERIFY(recorder.isRecording());
    auto& button = part<QPushButton>("labFile");
    QCOMPARE(button.text(), "● Stop (1)");
    // Nothing changes, so nothing is written in the time of three frames.
    QTest::qWait(3 * 1000 / FrameRecorder::kFramesPerSecond);
    QCOMPARE(recorder.frames(), 1);
    choose({"blr", "graves"});
    QTRY_VERIFY_WITH_TIMEOUT(recorder.frames() >= 3, kPatience);
    button.click();
    QVERIFY(!recorder.isRecording());
    QCOMPARE(button.text(), "File");
    QTRY_VERIFY(!recorder.busy());
    const QStringList written = framesIn(folder);
    QCOMPARE(written.size(), recorder.frames());
    QCOMPARE(written.first(), "frame-0001.png");
    QVERIFY(written.last().startsWith("frame-0"));
    const QImage first(folder + "/frame-0001.png");
    const QImage last(folder + "/" + written.last());
    // All but the set-up, with even sides.
    QCOMPARE(first.width(), shown.width() + shown.width() % 2);
    QCOMPARE(first.height(), shown.height() + shown.height() % 2);
    QVERIFY(first.width() < lab().width() - part<QWidget>("labSetUpCard").width());
    QCOMPARE(first.size(), last.size());
    QVERIFY(first != last);
    // Frames of two recordings would be mixed.
    QSignalSpy failures(&window_->pages().labs(), &LabsPage::failed);
    window_->pages().labs().recordFrames(folder);
    QVERIFY(!recorder.isRecording());
    QCOMPARE(failures.size(), 1);
    QVERIFY(failures[0][0].toString().contains("choose an empty folder"));
    QCOMPARE(framesIn(folder), written);
  }

  void aRecordingHasAFrameForEachStep() {
    choose({"blr"});
    finish();
    runner().pause();
    runner().restart();
    QTRY_VERIFY_WITH_TIMEOUT(!window_->pages().labs().busy(), kPatience);
    const std::int64_t steps = runner().entries()[0].picture->total;
    QVERIFY(steps > 1);
    const TempDir dir;
    const QString folder = QString::fromStdString(dir.file("film"));
    FrameRecorder& recorder = window_->pages().labs().recorder();
    QSignalSpy joined(&recorder, &FrameRecorder::finished);
    window_->pages().labs().setNextFileName(folder);
    part<QAction>("labRecordSteps").trigger();
    // It ends with the last step.
    QTRY_COMPARE_WITH_TIMEOUT(joined.size(), 1, kPatience);
    QVERIFY(runner().isFinished() && !recorder.isRecording());
    QVERIFY(recorder.frames() > 1);
    QCOMPARE(framesIn(folder).size(), recorder.frames());
    QCOMPARE(joined[0][0].toString(), folder + "/animation.png");
    const std::string animation = readBytes((folder + "/animation.png").toStdString());
    QCOMPARE(QImage::fromData(QByteArray::fromStdString(animation)),
             QImage(folder + "/frame-0001.png"));
    QCOMPARE(chunkCounts(animation).value("fcTL"), recorder.frames());
    QCOMPARE(chunkCounts(animation).value("acTL"), 1);
    QCOMPARE(chunkCounts(animation).value("IEND"), 1);
    QVERIFY(chunkCounts(animation).value("fdAT") >= recorder.frames() - 1);
  }

  void anAnimationNeedsFramesOfOneSize() {
    const TempDir dir;
    QStringList frames;
    for (const QSize size : {QSize(4, 2), QSize(4, 2), QSize(2, 2)}) {
      QImage image(size, QImage::Format_RGB32);
      image.fill(Qt::red);
      frames << QString::fromStdString(dir.file(std::to_string(frames.size()) + ".png"));
      QVERIFY(image.save(frames.last()));
    }
    RunContext context;
    const QString path = QString::fromStdString(dir.file("all.png"));
    const Status refused = writeAnimatedPng(frames, 10, path, context);
    QVERIFY(!refused);
    QVERIFY(refused.error().message.find("2.png: is no PNG of the size") != std::string::npos);
    QVERIFY(!QFileInfo::exists(path));
    frames.removeLast();
    QVERIFY(writeAnimatedPng(frames, 10, path, context));
    QCOMPARE(QImage(path).size(), QSize(4, 2));
    frames << QString::fromStdString(dir.file("missing.png"));
    const Status missing = writeAnimatedPng(frames, 10, path, context);
    QVERIFY(!missing);
    QVERIFY(missing.error().message.find("missing.png: cannot be read") != std::string::npos);
  }

  void aLaboratoryWithoutStepsSaysSo() {
    LabsPage& page = window_->pages().labs();
    page.showLaboratory(Laboratory::kUci);
    QSignalSpy failures(&page, &LabsPage::failed);
    page.recordSteps(QString::fromStdString(dir_->file("film")));
    QCOMPARE(failures.size(), 1);
    QVERIFY(failures[0][0].toString().contains("record frames instead"));
  }

  void aRecordingThatCannotBeWrittenEnds() {
    const TempDir dir;
    const QString folder = QString::fromStdString(dir.file("film"));
    window_->pages().labs().recordFrames(folder);
    FrameRecorder& recorder = window_->pages().labs().recorder();
    QVERIFY(recorder.isRecording());
    QTRY_VERIFY(!recorder.busy());
    QVERIFY(QDir(folder).removeRecursively());
    QSignalSpy failures(&window_->pages().labs(), &LabsPage::failed);
    choose({"blr", "graves"});
    QTRY_VERIFY_WITH_TIMEOUT(!recorder.isRecording(), kPatience);
    QTRY_COMPARE(failures.size(), 1);
    QVERIFY(failures[0][0].toString().contains(".png"));
    QCOMPARE(part<QPushButton>("labFile").text(), "File");
  }

  void aPausedMethodShowsTheScoresOfItsState() {
    choose({"graves"});
    QTRY_VERIFY(runner().entries()[0].picture && runner().entries()[0].picture->done > 20);
    runner().pause();
    QTRY_VERIFY_WITH_TIMEOUT(!window_->pages().labs().busy(), kPatience);
    const auto shown = runner().entries()[0].picture;
    QVERIFY(shown->done < shown->total);
    RunContext context;
    auto alone =
        RegressionLab::start(runner().data(), *findRegressionMethod("graves")->make(), {}, 0);
    QVERIFY(alone);
    QVERIFY(alone->advance(shown->done, context));
    QCOMPARE(shown->scores.rmse, alone->picture(context)->scores.rmse);
  }

  void aMovedPointIsLearnedFrom() {
    choose({"blr"});
    finish();
    part<QPushButton>("labPoints").click();
    BandPlot& widget = part<BandPlot>("labPlot0");
    QCustomPlot& plot = innerPlot(widget);
    const double x = widget.value().point_x[4];
    const double y = widget.value().point_y[4];
    const std::vector<double> before = runner().entries()[0].picture->mean;
    drag(plot, pixelOf(plot, x, y), pixelOf(plot, x, y) + QPoint(0, -60));
    finish();
    QVERIFY(runner().data().train.y[4] > y);
    QVERIFY(runner().entries()[0].picture->mean != before);
    // The truth and the test points no longer belong to the data.
    QVERIFY(!widget.value().truth.has_value());
    QVERIFY(runner().entries()[0].picture->scored_on_training_points);
    QTRY_VERIFY(part<Card>("labScoresCard").subtitle().contains("training points"));
    QCOMPARE(part<QComboBox>("labData").currentText(), "Own points");
  }

  void anEmptyPlaneTakesNewPoints() {
    choose({"blr", "mle"});
    finish();
    const Interval height = part<BandPlot>("labPlot0").value().y_range;
    part<QPushButton>("labClear").click();
    QCOMPARE(runner().data().train.size(), 0);
    QVERIFY(part<QPushButton>("labPoints").isChecked());
    finish();
    BandPlot& plot = part<BandPlot>("labPlot0");
    // Before any point, a prior over the axes of before; a network that is only trained has none.
    QVERIFY(plot.value().truth == std::nullopt && !plot.value().draws.empty());
    QVERIFY(std::ranges::all_of(plot.value().mean, [&](double mean) {
      return std::abs(mean - 0.5 * (height.low + height.high)) < 1e-6 * (height.high - height.low);
    }));
    QVERIFY(std::ranges::min(plot.value().std_epistemic) > 0.0);
    QVERIFY(part<Card>("labPlotCard0").subtitle().contains("prior"));
    QVERIFY(part<BandPlot>("labPlot1").value().mean.empty());
    QVERIFY(part<Card>("labPlotCard1").subtitle().contains("add points"));
    // The table follows a little later.
    QTRY_VERIFY(std::ranges::all_of(
        part<CompareTable>("labScores").value().rows,
        [](const CompareTableValue::Row& row) { return row.cells[0].text.isEmpty(); }));
    const std::string empty = lab().setUp().dump();
    for (int i = 0; i < 5; ++i) {
      Q_EMIT plot.pointAdded(i, i * i);
    }
    finish();
    QCOMPARE(runner().data().train.x, (std::vector<double>{0.0, 1.0, 2.0, 3.0, 4.0}));
    QVERIFY(!plot.value().mean.empty());
    QVERIFY(lab().applySetUp(nlohmann::json::parse(empty)));
    QCOMPARE(lab().setUp().dump(), empty);
  }

  void defaultsResetTheLaboratory() {
    choose({"blr"});
    finish();
    part<QSpinBox>("labSeed").setValue(3);
    finish();
    Q_EMIT part<BandPlot>("labPlot0").viewChanged({-30.0, 40.0}, {-500.0, 500.0});
    part<QPushButton>("labClear").click();
    part<QPushButton>("labDefaults").click();
    QCOMPARE(runner().seed(), std::uint64_t{0});
    QCOMPARE(runner().methodKeys(),
             (std::vector<std::string>{"gp", "mle", "mc-dropout", "ensemble", "laplace", "hmc"}));
    QTRY_COMPARE_WITH_TIMEOUT(runner().data().train.size(), 100, kPatience);
    QVERIFY(lab().setUp().at("axes").is_null());
    QVERIFY(part<ErrorBanner>("errorBanner").messages().isEmpty());
    choose({});
  }

  void everyLaboratoryHasDefaults() {
    LabsPage& page = window_->pages().labs();
    for (const LaboratoryInfo& info : laboratories()) {
      page.showLaboratory(info.id);
      page.showDefaults();
      QVERIFY2(part<ErrorBanner>("errorBanner").messages().isEmpty(), info.key);
    }
  }

  void presetsGetTheirSuffix() {
    choose({"blr"});
    finish();
    LabsPage& page = window_->pages().labs();
    const QString path = QString::fromStdString(dir_->file("noise 0.05"));
    page.setNextFileName(path);
    part<QAction>("labSavePreset").trigger();
    QVERIFY(!QFileInfo::exists(path));
    QVERIFY(QFileInfo::exists(path + ".json"));
    page.setNextFileName(QString::fromStdString(dir_->file("other.JSON")));
    part<QAction>("labSavePreset").trigger();
    QVERIFY(QFileInfo::exists(QString::fromStdString(dir_->file("other.JSON"))));
  }

  void pointsDrawnWhileOthersAreReadStay() {
    choose({"blr"});
    finish();
    auto& sets = part<QComboBox>("labData");
    sets.setCurrentIndex(2);
    Q_EMIT sets.activated(2);
    Q_EMIT part<BandPlot>("labPlot0").pointAdded(5.5, 150.0);
    finish();
    QCOMPARE(runner().data().train.size(), 101);
    QCOMPARE(sets.currentText(), "Own points");
  }

  void tooFewPointsAreSaidAndPointsHelp() {
    choose({"mle"});
    finish();
    RegressionData data = runner().data();
    data.train = {{1.0}, {2.0}};
    runner().setData(data);
    finish();
    QVERIFY(runner().entries()[0].error.contains("add points"));
    QVERIFY(!part<QPushButton>("labPlay").isEnabled());
    data.train = {{1.0, 2.0, 3.0}, {2.0, 3.0, 5.0}};
    runner().setData(data);
    finish();
    QVERIFY(runner().entries()[0].error.isEmpty());
  }

  void pausedMethodsWaitAndStep() {
    part<QPushButton>("labPlay").click();
    QVERIFY(!runner().isPlaying());
    choose({});
    choose({"gp"});
    QTRY_VERIFY_WITH_TIMEOUT(runner().entries()[0].picture && !runner().busy(), kPatience);
    QCOMPARE(runner().entries()[0].picture->done, 0);
    part<QPushButton>("labStep").click();
    QTRY_COMPARE_WITH_TIMEOUT(runner().entries()[0].picture->done, 1, kPatience);
    QTRY_VERIFY(!runner().busy());
    part<QPushButton>("labReset").click();
    QTRY_COMPARE_WITH_TIMEOUT(runner().entries()[0].picture->done, 0, kPatience);
    QTRY_VERIFY(!runner().busy());
    part<QPushButton>("labPlay").click();
    finish();
  }

  void theSeedDecidesTheData() {
    choose({"blr"});
    finish();
    const std::vector<double> first = runner().data().train.y;
    part<QSpinBox>("labSeed").setValue(7);
    QTRY_VERIFY_WITH_TIMEOUT(runner().data().train.y != first, kPatience);
    finish();
    part<QSpinBox>("labSeed").setValue(0);
    QTRY_VERIFY_WITH_TIMEOUT(runner().data().train.y == first, kPatience);
  }

  void aSavedPresetGivesTheSameNumbers() {
    choose({"gp", "blr"});
    part<QSpinBox>("labSeed").setValue(3);
    finish();
    const std::vector<double> mean = runner().entries()[1].picture->mean;
    const QString path = QString::fromStdString(dir_->file("lab.json"));
    window_->pages().labs().savePreset(path);
    choose({});
    part<QSpinBox>("labSeed").setValue(0);
    window_->pages().labs().openPreset(path);
    QCOMPARE(runner().entries().size(), std::size_t{2});
    finish();
    QCOMPARE(runner().seed(), std::uint64_t{3});
    QCOMPARE(part<QSpinBox>("labSeed").value(), 3);
    QCOMPARE(runner().entries()[1].picture->mean, mean);
  }

  void ownPointsComeBackFromAPreset() {
    choose({"blr"});
    finish();
    RegressionData data = runner().data();
    part<QPushButton>("labPoints").click();
    BandPlot& widget = part<BandPlot>("labPlot0");
    QCustomPlot& plot = innerPlot(widget);
    QTest::mouseClick(&plot, Qt::LeftButton, {}, pixelOf(plot, 5.5, 150.0));
    QCOMPARE(runner().data().train.size(), 101);
    const RegressionPoints points = runner().data().train;
    const QString path = QString::fromStdString(dir_->file("lab.json"));
    window_->pages().labs().savePreset(path);
    part<QComboBox>("labData").setCurrentIndex(2);
    Q_EMIT part<QComboBox>("labData").activated(2);
    QTRY_VERIFY_WITH_TIMEOUT(runner().data().train.x != points.x, kPatience);
    window_->pages().labs().openPreset(path);
    QCOMPARE(runner().data().train.x, points.x);
    QCOMPARE(runner().data().train.y, points.y);
  }

  void aDamagedPresetIsRefusedAndTheLabLivesOn() {
    choose({"blr"});
    finish();
    const std::string path = dir_->file("lab.json");
    writeBytes(path, "{}");
    window_->pages().labs().openPreset(QString::fromStdString(path));
    QVERIFY(part<QLabel>("errorText").text().contains("no preset"));
    QCOMPARE(runner().entries().size(), std::size_t{1});
    QVERIFY(runner().entries()[0].picture != nullptr);
  }

  void everyFigureIsShownWithItsExplanation() {
    LabsPage& page = window_->pages().labs();
    for (const LabFigure& figure : labFigures()) {
      const auto preset = presetOf(figure);
      QVERIFY2(preset, figure.key.c_str());
      page.showFigure(figure);
      QVERIFY2(part<ErrorBanner>("errorBanner").messages().isEmpty(), figure.key.c_str());
      QVERIFY(part<QLabel>("labsExplanation").text().startsWith(QString::fromUtf8(figure.title)));
      const nlohmann::json shown = page.shownLaboratory().setUp();
      for (const auto& [name, value] : preset->set_up.at("options").items()) {
        QVERIFY2(shown.at("options").at(name) == value, name.c_str());
      }
    }
  }

  void aFigureDoesNotDependOnWhatWasShownBefore() {
    LabsPage& page = window_->pages().labs();
    const auto figure = std::ranges::find(labFigures(), QLatin1String("neal-funnel"),
                                          [](const LabFigure& f) { return QLatin1String(f.key); });
    page.showFigure(*figure);
    const std::string first = page.shownLaboratory().setUp().dump();
    nlohmann::json changed = nlohmann::json::parse(first);
    changed["options"]["target_acceptance"] = 0.5;
    changed["laplace"] = true;
    QVERIFY(page.shownLaboratory().applySetUp(changed));
    page.showFigure(*figure);
    QCOMPARE(page.shownLaboratory().setUp().dump(), first);
  }

  void everyLaboratoryComesBackFromItsPreset() {
    LabsPage& page = window_->pages().labs();
    const std::string path = dir_->file("lab.json");
    for (const LaboratoryInfo& info : laboratories()) {
      page.showLaboratory(info.id);
      nlohmann::json set_up = page.shownLaboratory().setUp();
      page.savePreset(QString::fromStdString(path));
      const nlohmann::json saved = nlohmann::json::parse(readBytes(path));
      QCOMPARE(saved.at("laboratory").get<std::string>(), std::string(info.key));
      if (set_up.contains("seed")) {
        set_up["seed"] = 5;
      }
      nlohmann::json changed = saved;
      changed.update(set_up);
      writeBytes(path, changed.dump());
      page.showLaboratory(laboratories().front().id);
      page.openPreset(QString::fromStdString(path));
      QVERIFY2(part<QLabel>("errorText").text().isEmpty(), info.key);
      QCOMPARE(page.shownLaboratory().setUp().dump(), set_up.dump());
      // Nothing changes if something is missing.
      for (const auto& [key, value] : set_up.items()) {
        nlohmann::json damaged = changed;
        damaged["seed"] = 6;
        damaged.erase(key);
        writeBytes(path, damaged.dump());
        page.openPreset(QString::fromStdString(path));
        auto& banner = part<ErrorBanner>("errorBanner");
        QVERIFY2(banner.messages().size() == 1 && banner.messages()[0].contains("no preset"),
                 qPrintable(QString::fromStdString(std::string(info.key) + ' ' + key)));
        banner.dismiss();
        QCOMPARE(page.shownLaboratory().setUp().dump(), set_up.dump());
      }
    }
  }

  void aWrongPresetChangesNothing() {
    LabsPage& page = window_->pages().labs();
    const std::string path = dir_->file("lab.json");
    auto& banner = part<ErrorBanner>("errorBanner");
    QStringList silent;
    for (const LaboratoryInfo& info : laboratories()) {
      page.showLaboratory(info.id);
      const nlohmann::json before = page.shownLaboratory().setUp();
      page.savePreset(QString::fromStdString(path));
      const nlohmann::json saved = nlohmann::json::parse(readBytes(path));
      const nlohmann::json places = before.flatten();
      for (const auto& [key, value] : places.items()) {
        const nlohmann::json::json_pointer place(key);
        if (info.id == Laboratory::kSamples &&
            (key.starts_with("/mean") || key.starts_with("/covariance"))) {
          continue;  // a Gaussian with a name comes with its numbers
        }
        for (const nlohmann::json& wrong :
             {nlohmann::json("no such thing"), nlohmann::json(-7.5), nlohmann::json(1e300),
              nlohmann::json::array({1, "x"}), nlohmann::json({{"x", 1}})}) {
          nlohmann::json damaged = saved;
          if (damaged.contains("seed")) {
            damaged["seed"] = 6;  // what is refused must not have been applied in part
          }
          damaged[place] = wrong;
          writeBytes(path, damaged.dump());
          page.openPreset(QString::fromStdString(path));
          const std::string where = std::string(info.key) + ' ' + key + ' ' + wrong.dump();
          const nlohmann::json after = page.shownLaboratory().setUp();
          if (banner.messages().isEmpty()) {
            // Then it is what the laboratory shows.
            if (!after.contains(place) || after.at(place) != wrong) {
              silent << QString::fromStdString(where);
            }
          } else if (!banner.messages()[0].contains("no preset") || after != before) {
            silent << QString::fromStdString(where) + " " + banner.messages()[0];
          }
          banner.dismiss();
          writeBytes(path, saved.dump());
          page.openPreset(QString::fromStdString(path));
        }
      }
    }
    QVERIFY2(silent.isEmpty(), qPrintable(silent.join('\n')));
  }

 private:
  static QStringList framesIn(const QString& folder) {
    return QDir(folder).entryList({"frame-*.png"}, QDir::Files, QDir::Name);
  }
  /// How many chunks of each type a PNG has.
  static QMap<QString, int> chunkCounts(const std::string& png) {
    QMap<QString, int> counts;
    std::size_t place = 8;
    while (place + 12 <= png.size()) {
      ++counts[QString::fromLatin1(png.data() + place + 4, 4)];
      std::size_t length = 0;
      for (std::size_t i = 0; i < 4; ++i) {
        length = 256 * length + static_cast<unsigned char>(png[place + i]);
      }
      place += length + 12;
    }
    return counts;
  }
  void choose(const QStringList& keys) { chooseMethods("labMethods", keys); }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::LabsPageTest)
#include "labs_page_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QElapsedTimer>
#include <QFileDialog>
#include <QLabel>
#include <QPushButton>
#include <QSet>
#include <QTabBar>
#include <QTreeWidget>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/shell/file_drop.h"
#include "app/shell/open_menu.h"
#include "app/shell/review_alone.h"
#include "core/io/run_needs.h"
#include "tests/app/support/labelled_images.h"
#include "tests/app/support/labels_window.h"
#include "widgets/zoom_view.h"

namespace dubito::test {

/// How labels of other programs, and their images, are opened.
class ReviewLabelsTest : public QObject, private LabelsWindow {
  Q_OBJECT

 private Q_SLOTS:
  void init() { openLabelsPage(); }
  void cleanup() { closeAll(); }

  void everyFormatLeadsToTheFirstImageByDroppingIt_data() {
    QTest::addColumn<QString>("format");
    for (const std::string& format : labelFormats()) {
      QTest::newRow(format.c_str()) << QString::fromStdString(format);
    }
  }
  void everyFormatLeadsToTheFirstImageByDroppingIt() {
    QFETCH(QString, format);
    const std::string path = writeLabels(format.toStdString());
    // A folder of images may be a dataset as well: the window for reviewing takes it for labels.
    const bool is_folder = std::filesystem::is_directory(path);
    window_->reviewAlone().show(is_folder);
    if (!is_folder) {
      window_->showPage(PageId::kOverview);
    }
    QElapsedTimer timer;
    timer.start();
    window_->fileDrop().drop({QString::fromStdString(path)}, false, {});
    waitForAnImage();
    QVERIFY(window_->page() == PageId::kReview);
    QCOMPARE(reviewer().queue().length(), kImages);
    QCOMPARE(int(reviewer().file().classes().size()), 3);
    const std::int64_t item = reviewer().itemAt(reviewer().position());
    QTest::keyClick(&page(), Qt::Key_Return);
    QTRY_COMPARE(reviewer().decidedInRun(), 1);
    qInfo("%s: first decision after %lld ms, one drop and one key", qPrintable(format),
          static_cast<long long>(timer.elapsed()));
    const PresentLabel* const label = reviewer().file().labelOf(item);
    QVERIFY(label != nullptr);
    QCOMPARE(label->action, LabelAction::kAccept);
    // What the other program said about this image, whatever the order of its list is.
    const int image = nameOf(item).section(u'/', -1).section(u'.', 0, 0).mid(4).toInt() - 100;
    QCOMPARE(QString::fromStdString(findClass(reviewer().file().classes(), *label->class_id)->name),
             className(image));
  }

  void theLeastSureLabelComesFirstAndTheWordsAreAnAnnotators() {
    open(writeLabels("csv"));
    QCOMPARE(shownImage(), fileName(0));
    QCOMPARE(reviewer().reviewQueue().key(), std::string("confidence"));
    QVERIFY2(part<QLabel>("reviewWhy").text().startsWith("The program gave its label a low score"),
             qPrintable(part<QLabel>("reviewWhy").text()));
    QCOMPARE(part<QLabel>("reviewSuggestion").text(),
             QStringLiteral("Labelled “cat”, 40.0 % sure"));
    QCOMPARE(part<QPushButton>("reviewAccept").text(), QStringLiteral("It is cat (Enter)"));
    QVERIFY(!part<QPushButton>("reviewGiven").isVisible());
    QVERIFY(!part<QWidget>("reviewAsNetwork").isVisible());
    const auto& classes = part<QTreeWidget>("reviewClasses");
    QCOMPARE(classes.headerItem()->text(2), QStringLiteral("Score"));
    // The rest of the probability is not known to belong to any class.
    QCOMPARE(classes.topLevelItem(0)->text(2), QStringLiteral("40.0 %"));
    QCOMPARE(classes.topLevelItem(1)->text(2), QString());
    for (const QLabel* const label : page().findChildren<QLabel*>()) {
      if (label->isVisible()) {
        for (const char* const word : {"network", "OOD", "draw", "MAP", "preprocessing"}) {
          QVERIFY2(!label->text().contains(QLatin1String(word), Qt::CaseInsensitive),
                   qPrintable(label->text()));
        }
      }
    }
  }

  void labelsWithoutScoresComeInTheOrderOfTheirFiles() {
    open(writeLabels("cvat"));
    QCOMPARE(reviewer().reviewQueue().key(), std::string("file-order"));
    QCOMPARE(shownImage(), fileName(0));
    QCOMPARE(part<QLabel>("reviewSuggestion").text(), QStringLiteral("Labelled “cat”"));
    QTest::keyClick(&page(), Qt::Key_Return);
    QTRY_COMPARE(shownImage(), fileName(1));
  }

  void aProgramThatContradictsItsLabelIsShownWithBothAndEachHasItsKey() {
    std::ofstream csv(dir_->file("images/labels.csv"));
    csv << "file,label,prob_cat,prob_dog,prob_owl\n"
        << fileName(0) << ",cat,0.1,0.8,0.1\n"
        << fileName(1) << ",cat,0.35,0.4,0.25\n"
        << fileName(2) << ",owl,0.05,0.05,0.9\n";
    csv.close();
    open(dir_->file("images/labels.csv"), FileKind::kLabels);
    reviewer().reviewQueue().choose("file-order");
    QTRY_VERIFY(reviewer().takesDecisions() && shownImage() == fileName(0));
    QCOMPARE(part<QLabel>("reviewSuggestion").text(),
             QStringLiteral("Labelled “cat”. The program says “dog”, 80.0 % sure"));
    QCOMPARE(part<QPushButton>("reviewAccept").text(), QStringLiteral("It is dog (Enter)"));
    QCOMPARE(part<QPushButton>("reviewGiven").text(), QStringLiteral("cat is right (Space)"));
    QTest::keyClick(&page(), Qt::Key_Space);
    QTRY_COMPARE(shownImage(), fileName(1));
    QCOMPARE(decided(fileName(0)), QStringLiteral("cat"));
    // Nobody is told that an unsure opinion is the answer: Enter takes the given label.
    QTRY_VERIFY(reviewer().takesDecisions());
    QCOMPARE(part<QLabel>("reviewSuggestion").text(),
             QStringLiteral("Labelled “cat”. The program leans to “dog”, 40.0 % sure"));
    QCOMPARE(part<QPushButton>("reviewAccept").text(), QStringLiteral("It is cat (Enter)"));
    QVERIFY(!part<QPushButton>("reviewGiven").isVisible());
    QTest::keyClick(&page(), Qt::Key_Return);
    QTRY_COMPARE(shownImage(), fileName(2));
    QCOMPARE(decided(fileName(1)), QStringLiteral("cat"));
  }

  void imagesThatAreNotBesideTheLabelsAreAskedForOnce() {
    std::filesystem::rename(writeLabels("label-studio"), dir_->file("elsewhere.json"));
    std::filesystem::create_directories(dir_->file("far"));
    std::filesystem::rename(dir_->file("elsewhere.json"), dir_->file("far/labels.json"));
    auto& menu = part<OpenMenu>("openMenu");
    menu.setNextFileName(QString::fromStdString(dir_->file("images")));
    open(dir_->file("far/labels.json"));
    QCOMPARE(reviewer().queue().length(), kImages);
    QVERIFY2(otherMessages().filter("far/labels.json: ").isEmpty(),
             qPrintable(otherMessages().join('\n')));
  }

  void withoutAFolderTheErrorSaysWhatIsMissing() {
    std::filesystem::create_directories(dir_->file("far"));
    std::filesystem::rename(writeLabels("label-studio"), dir_->file("far/labels.json"));
    window_->fileDrop().open({QString::fromStdString(dir_->file("far/labels.json"))}, false);
    QFileDialog* dialog = nullptr;
    QTRY_VERIFY((dialog = window_->findChild<QFileDialog*>("imagesDialog")) != nullptr);
    dialog->reject();
    const QStringList said = otherMessages().filter("far/labels.json");
    QCOMPARE(said.size(), 1);
    QVERIFY(said[0].contains("give the folder of its images"));
    QVERIFY(!reviewer().active());
  }

  void aLabelFileAndAFolderDroppedTogetherBelongTogether() {
    std::filesystem::create_directories(dir_->file("far"));
    std::filesystem::rename(writeLabels("coco"), dir_->file("far/labels.json"));
    window_->fileDrop().drop({QString::fromStdString(dir_->file("images")),
                              QString::fromStdString(dir_->file("far/labels.json"))},
                             false, {});
    QTRY_VERIFY(reviewer().active() && reviewer().takesDecisions());
    QCOMPARE(reviewer().queue().length(), kImages);
    QCOMPARE(session().datasets().size(), std::size_t{1});
  }

  void aLabelledDatasetIsReviewedWithoutANetwork() {
    RunContext context;
    const auto dataset = openDataset("synthetic:glyphs?n=20&seed=1", context);
    QVERIFY(dataset.has_value());
    session().addDataset(QStringLiteral("glyphs"), *dataset, false);
    auto& button = part<QPushButton>("reviewDataset");
    QVERIFY(button.isVisible());
    QTest::mouseClick(&button, Qt::LeftButton);
    QTRY_VERIFY(reviewer().active() && reviewer().takesDecisions());
    QCOMPARE(reviewer().queue().length(), 20);
    QCOMPARE(reviewer().analysis()->in().run->meta.method, std::string(kLabelsMethod));
    QVERIFY(!session().isUnsaved(*reviewer().analysis()));
  }

  void whatNeedsANetworkSaysSoAndOffersOne() {
    open(writeLabels("csv"));
    page().showMode(QStringLiteral("learn"));
    const auto& text = part<QLabel>("reviewNeedsNetworkText");
    QVERIFY(text.isVisible());
    QVERIFY(text.text().startsWith("Learn needs a network"));
    auto& menu = part<OpenMenu>("openMenu");
    menu.setNextFileName(QString::fromStdString(dir_->file("none.pt2")));
    QTest::mouseClick(&part<QPushButton>("reviewAskNetwork"), Qt::LeftButton);
    QTRY_VERIFY(!otherMessages().filter("none.pt2").isEmpty());  // the dialog was asked
    page().showMode(QStringLiteral("single"));
    QVERIFY(!text.isVisible());
    QVERIFY(part<ZoomView>("reviewImage").isVisible());
  }

  void twoProgramsAreComparedByTheNamesOfTheirClasses() {
    open(writeLabels("csv"));
    // The second one lists its classes in another order and differs about two images.
    std::ofstream json(dir_->file("images/second.jsonl"));
    for (int i = kImages - 1; i >= 0; --i) {
      const QString name = i == 3 || i == 7 ? QStringLiteral("owl") : className(i);
      json << nlohmann::json{{"file_name", fileName(i)}, {"label", name.toStdString()}} << '\n';
    }
    json.close();
    const AnalysisPtr first = session().activeAnalysis();
    window_->fileDrop().open({QString::fromStdString(dir_->file("images/second.jsonl"))}, false);
    QTRY_VERIFY(session().analyses().size() == 2 && reviewer().active() && !reviewer().busy());
    QCOMPARE(reviewer().reviewQueue().otherRuns().size(), std::size_t{1});
    reviewer().reviewQueue().choose("disagreement");
    QTRY_VERIFY(!reviewer().busy() && reviewer().reviewQueue().key() == "disagreement");
    QCOMPARE(reviewer().queue().first_part.value_or(-1), 2);
    const QSet<QString> shown = {nameOf(reviewer().itemAt(0)), nameOf(reviewer().itemAt(1))};
    QCOMPARE(shown, (QSet<QString>{QString::fromStdString(fileName(3)),
                                   QString::fromStdString(fileName(7))}));
  }

  void predictionsWithoutImagesGetThemFromAFolder() {
    std::ofstream csv(dir_->file("predictions.csv"));
    csv << "label,prob_0,prob_1,prob_2\n";
    for (int i = 0; i < kImages; ++i) {
      csv << "," << 0.5 + 0.01 * i << ",0.2," << 0.3 - 0.01 * i << '\n';
    }
    csv.close();
    window_->workbench().opener().open(
        {{dir_->file("predictions.csv"), FileKind::kUnknown, false, {}}});
    QTRY_VERIFY2(session().activeAnalysis() != nullptr, qPrintable(otherMessages().join('\n')));
    auto& attach = part<QPushButton>("reviewAttach");
    QTRY_VERIFY(attach.isVisible());
    part<OpenMenu>("openMenu").setNextFileName(QString::fromStdString(dir_->file("images")));
    QTest::mouseClick(&attach, Qt::LeftButton);
    auto& start = part<QPushButton>("reviewStart");
    QTRY_VERIFY2(start.isVisible(), qPrintable(otherMessages().join('\n')));
    QTest::mouseClick(&start, Qt::LeftButton);
    waitForAnImage();
    QCOMPARE(shownImage(), fileName(0));  // the least sure one is the first row
    QCOMPARE(otherMessages().filter("in their order: row 1 is 'img_100.png'").size(), 1);
  }

  void theReviewAloneTakesFoldersAndTablesForLabels() {
    window_->reviewAlone().show(true);
    std::ofstream csv(dir_->file("images/plain.csv"));
    csv << "file,label\n" << fileName(0) << ",cat\n" << fileName(1) << ",dog\n";
    csv.close();
    window_->fileDrop().drop({QString::fromStdString(dir_->file("images/plain.csv"))}, false, {});
    QTRY_VERIFY(reviewer().active() && reviewer().takesDecisions());
    QCOMPARE(reviewer().queue().length(), 2);
    QVERIFY(part<QTabBar>("reviewModes").isVisible());
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::ReviewLabelsTest)
#include "review_labels_test.moc"

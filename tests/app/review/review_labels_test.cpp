// SPDX-License-Identifier: GPL-3.0-or-later
// DUBITO_SCREENSHOTS=FOLDER with DUBITO_LABELS=FILE[;FOLDER] saves pictures of the review of one's
// own labels there, light and dark, in windows of several sizes.
#include <QComboBox>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSet>
#include <QSignalSpy>
#include <QSlider>
#include <QSysInfo>
#include <QTabBar>
#include <QTreeWidget>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/files/label_source.h"
#include "app/review/labels/recent_reviews.h"
#include "app/review/labels/reservation_holder.h"
#include "app/review/settings/review_place.h"
#include "app/shell/file_drop.h"
#include "app/shell/open_menu.h"
#include "app/shell/review_alone.h"
#include "app/shell/workspace_commands.h"
#include "app/workspace/workspace_row.h"
#include "core/data/pixels/image_file.h"
#include "core/io/run_needs.h"
#include "tests/app/support/labelled_images.h"
#include "tests/app/support/review_window.h"
#include "tests/support/shared_data.h"
#include "widgets/theme.h"
#include "widgets/zoom_view.h"

namespace dubito::test {

/// Labels of another program, reviewed as their annotator would: no network is open.
class ReviewLabelsTest : public QObject, private ReviewWindow {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    openReviewFolder();
    if (!canReadPhotographs()) {
      QSKIP("this build reads no photographs");
    }
    writeImages(dir_->file("images"));
    openReviewPage();
  }
  void cleanup() { closeAll(); }

  void reservationsOfAWindowThatCrashedReturnAtOnce() {
    open(writeLabels("csv"));
    const std::string place = this->place();
    const auto& ids = reviewer().analysis()->in().run->ids;
    const std::vector<std::int64_t> items(ids.data(), ids.data() + ids.size());
    window_.reset();  // gives its own back
    const auto store = LabelStore::open(place, StoreMode::kOpen).value();
    // A process of this machine that is gone, one that lives, and one elsewhere.
    const std::string host = QSysInfo::machineHostName().toStdString();
    const auto hold = [&](std::size_t first, const std::string& holder) {
      const std::span<const std::int64_t> some(items.data() + first, 2);
      QCOMPARE(store->reserve(some, 2, holder, std::chrono::minutes(5)).value().size(),
               std::size_t{2});
    };
    hold(0, "me@" + host + ":4194999:55d0");
    hold(2, reservationHolder(QStringLiteral("me"), this));
    hold(4, "me@elsewhere:4194999:55d0");
    openReviewPage();
    window_->fileDrop().open({QString::fromStdString(place)}, false);
    waitForAnImage();
    QTRY_COMPARE(reviewer().takenCount(), 4);
    const auto& progress = part<QLabel>("reviewProgressText");
    QTRY_COMPARE(progress.toolTip().count(u'\n'), 1);
    QVERIFY2(progress.toolTip().startsWith("me has reserved 2 until "),
             qPrintable(progress.toolTip()));
  }

  void theLabelsContinueInAnotherFile() {
    open(writeLabels("csv"));
    QTest::keyClick(&page(), Qt::Key_2);
    QTRY_COMPARE(reviewer().decidedInRun(), 1);
    QTRY_VERIFY(reviewer().takesDecisions());
    const std::string before = place();
    QTest::keyClick(&page(), Qt::Key_Question);
    auto& sheet = part<ReviewPlace>("reviewPlaceTab");
    QCOMPARE(part<QLabel>("reviewPlace").text(), QString::fromStdString(before));
    const std::string after = dir_->file("shared.labels");
    sheet.setNextFileName(QString::fromStdString(after));
    part<QPushButton>("reviewPlaceMove").click();
    QTRY_COMPARE(QString::fromStdString(place()), QString::fromStdString(after));
    waitForAnImage();
    QCOMPARE(reviewer().decidedInRun(), 1);
    QCOMPARE(part<QLabel>("reviewPlace").text(), QString::fromStdString(after));
    QTest::keyClick(&page(), Qt::Key_Return);
    QTRY_COMPARE(reviewer().decidedInRun(), 2);
    QCOMPARE(countDecidedItems(before).value(), 1);  // stays as it was
    QCOMPARE(countDecidedItems(after).value(), 2);
    // A file that exists is not overwritten, and the review goes on.
    sheet.setNextFileName(QString::fromStdString(before));
    part<QPushButton>("reviewPlaceMove").click();
    QTRY_VERIFY(part<QLabel>("reviewPlaceMessage").text().contains(QString::fromStdString(before)));
    QCOMPARE(place(), after);
    // An address with a password would be kept in the settings.
    auto& server = part<QLineEdit>("reviewServer");
    server.setText(QStringLiteral("postgresql://anna:secret@localhost/photos"));
    part<QPushButton>("reviewServerUse").click();
    QVERIFY(part<QLabel>("reviewPlaceMessage").text().startsWith("Leave the password out"));
    server.setText(QStringLiteral("localhost/photos"));
    part<QPushButton>("reviewServerUse").click();
    QVERIFY(part<QLabel>("reviewPlaceMessage").text().startsWith("The address begins with"));
    QCOMPARE(place(), after);
    server.setText(QStringLiteral("postgresql://anna@localhost:1/photos?connect_timeout=2"));
    part<QPushButton>("reviewServerUse").click();
    QTRY_VERIFY(!otherMessages().filter("localhost:1").isEmpty());
    // The next start is in the file again that can be opened.
    QVERIFY(!reviewer().active());
  }

  void aWorkspaceKeepsTheLabelsAndTheirImages() {
    open(writeLabels("csv"));
    QTest::keyClick(&page(), Qt::Key_Return);
    QTRY_COMPARE(reviewer().decidedInRun(), 1);
    const QString file = QString::fromStdString(dir_->file("work.dubito"));
    window_->workspaceCommands().keeper().save(file);
    QTRY_VERIFY(QFile::exists(file) && !window_->workbench().jobs().busy());
    openReviewPage();
    window_->workbench().opener().open({{file.toStdString(), FileKind::kUnknown, false, {}}});
    QTRY_VERIFY2(session().activeAnalysis() != nullptr, qPrintable(otherMessages().join('\n')));
    QCOMPARE(session().activeAnalysis()->in().run->meta.method, std::string(kLabelsMethod));
    auto& start = part<QPushButton>("reviewStart");
    QTRY_VERIFY(start.isVisible());
    QTest::mouseClick(&start, Qt::LeftButton);
    waitForAnImage();
    QCOMPARE(reviewer().decidedInRun(), 1);
    QCOMPARE(shownImage(), fileName(1));
  }

  void nobodyDecidesBeforeOthersAreAsked() {
    open(writeLabels("cvat"));
    const std::string place = this->place();
    const std::int64_t first = reviewer().itemAt(0);
    window_.reset();
    const auto store = LabelStore::open(place, StoreMode::kOpen).value();
    QCOMPARE(store->reserve(std::span(&first, 1), 1, "ben@elsewhere:1:1", std::chrono::minutes(5))
                 .value()
                 .size(),
             std::size_t{1});
    openReviewPage();
    window_->fileDrop().open({QString::fromStdString(place)}, false);
    std::vector<std::int64_t> ready;
    connect(&reviewer(), &Reviewer::itemChanged, this, [&] {
      const auto row = reviewer().row();
      if (row && reviewer().takesDecisions()) {
        ready.push_back(reviewer().analysis()->in().run->ids.data()[*row]);
      }
    });
    waitForAnImage();
    QVERIFY(reviewer().itemAt(reviewer().position()) != first);
    QVERIFY(std::ranges::find(ready, first) == ready.end());
  }

  void whatPersonsHaveSaidStandsSideBySide() {
    open(writeLabels("cvat"));
    const std::string place = this->place();
    const std::int64_t item = reviewer().itemAt(0);
    const std::int64_t other = reviewer().itemAt(1);
    const auto store = LabelStore::open(place, StoreMode::kOpen).value();
    const auto say = [&](const char* who, std::int64_t about, std::int64_t class_id) {
      const Decision decision{.item = about,
                              .action = LabelAction::kCorrect,
                              .class_id = class_id,
                              .annotator = who,
                              .time_ms = 1'764'000'000'000};
      QVERIFY(store->decide(std::span(&decision, 1)).has_value());
    };
    say("anna", item, 0);
    say("anna", item, 1);  // she has changed her mind
    say("ben", item, 2);
    say("carl", item, 1);
    say("anna", other, 1);
    openReviewPage();
    window_->fileDrop().open({QString::fromStdString(place)}, false);
    waitForAnImage();
    QVERIFY(!part<QWidget>("reviewOpinions").isVisible());
    reviewer().reviewQueue().choose("conflicts");  // also without scores
    waitForAnImage();
    QCOMPARE(reviewer().queue().ids, std::vector<std::int64_t>{item});
    const auto& text = part<QLabel>("reviewOpinionsText");
    QTRY_COMPARE(text.text().count(u'\n'), 3);
    const QStringList lines = text.text().split(u'\n');
    QVERIFY2(lines[0].startsWith("anna: dog · "), qPrintable(text.text()));
    QVERIFY2(lines[1].startsWith("ben: owl · "), qPrintable(text.text()));
    QVERIFY2(lines[2].startsWith("carl: dog · "), qPrintable(text.text()));
    QCOMPARE(lines[3], QStringLiteral("2 of 3 say “dog”"));
    // A second opinion does not know the first.
    reviewer().reviewQueue().choose("second-opinion");
    QTRY_VERIFY(reviewer().reviewQueue().key() == "second-opinion" && !reviewer().busy());
    QCOMPARE(reviewer().queue().ids, std::vector<std::int64_t>{other});
    QTRY_COMPARE(text.text(), QStringLiteral("hidden until you decide"));
  }

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

  void theReviewGoesOnWhereItStopped() {
    const std::string labels = writeLabels("jsonl");
    open(labels);
    for (int i = 0; i < 5; ++i) {
      QTRY_VERIFY(reviewer().takesDecisions());
      QTest::keyClick(&page(), Qt::Key_Return);
      QTRY_COMPARE(reviewer().decidedInRun(), i + 1);
    }
    openReviewPage();
    auto* const row = page().findChild<WorkspaceRow*>("reviewRecent0");
    QTRY_VERIFY(row != nullptr && row->isVisible());
    QCOMPARE(row->text(), QStringLiteral("images"));
    QTRY_COMPARE(row->detail(), QStringLiteral("5 of 12 decided"));
    QTest::mouseClick(row, Qt::LeftButton);
    QTRY_VERIFY(reviewer().active() && reviewer().takesDecisions());
    QCOMPARE(reviewer().decidedInRun(), 5);
    QCOMPARE(shownImage(), fileName(5));
    QVERIFY(reviewer().hasScores());
    // The count is that of the set, not of this sitting.
    QVERIFY2(part<QLabel>("reviewProgressText").text().contains("5 of 12 decided"),
             qPrintable(part<QLabel>("reviewProgressText").text()));
  }

  void aStoreThatIsGoneIsSaidAndNotOffered() {
    open(writeLabels("jsonl"));
    const QString store = reviewer().file().place();
    window_.reset();
    QVERIFY(QFile::remove(store));
    openReviewPage();
    auto* const row = page().findChild<WorkspaceRow*>("reviewRecent0");
    QTRY_VERIFY(row != nullptr && row->detail().startsWith("its labels are gone"));
    QVERIFY(!row->isEnabled());
  }

  void aStoreOpensWithTheGivenLabelsAndGoesOnInItself() {
    open(writeLabels("csv"));
    QTest::keyClick(&page(), QLatin1Char('2').toLatin1());  // dog
    QTRY_COMPARE(reviewer().decidedInRun(), 1);
    const QString store = reviewer().file().place();
    openReviewPage();
    window_->fileDrop().drop({store}, false, {});
    QTRY_VERIFY(reviewer().active() && reviewer().takesDecisions());
    QCOMPARE(reviewer().file().place(), store);
    QCOMPARE(decided(fileName(0)), QStringLiteral("dog"));
    // A decision is never the given label of somebody else.
    const AnalysisPart& part = reviewer().analysis()->in();
    QCOMPARE(part.run->className(part.run->labels.data()[rowOfFile(fileName(0))]),
             std::string("cat"));
  }

  void imagesThatWereMovedAreLocatedOnce() {
    open(writeLabels("csv"));
    QTest::keyClick(&page(), QLatin1Char('2').toLatin1());  // dog
    QTRY_COMPARE(reviewer().decidedInRun(), 1);
    const QString store = reviewer().file().place();
    window_.reset();
    // The labels are in the folder with the images.
    std::filesystem::rename(dir_->file("images"), dir_->file("archive"));
    openReviewPage();
    window_->fileDrop().open({store}, false);
    QFileDialog* dialog = nullptr;
    QTRY_VERIFY((dialog = window_->findChild<QFileDialog*>("imagesDialog")) != nullptr);
    dialog->reject();
    QVERIFY(!reviewer().active());
    part<OpenMenu>("openMenu").setNextFileName(QString::fromStdString(dir_->file("archive")));
    open(store.toStdString());
    QCOMPARE(reviewer().file().place(), store);
    QCOMPARE(reviewer().queue().length(), kImages - 1);
    QCOMPARE(decided(fileName(0)), QStringLiteral("dog"));
    // The next time the folder is known.
    openReviewPage();
    auto* const row = page().findChild<WorkspaceRow*>("reviewRecent0");
    QTRY_VERIFY(row != nullptr && row->isVisible());
    QTest::mouseClick(row, Qt::LeftButton);
    waitForAnImage();
    QCOMPARE(decided(fileName(0)), QStringLiteral("dog"));
    QVERIFY2(otherMessages().filter(store).isEmpty(), qPrintable(otherMessages().join('\n')));
    // If they are gone from there, too, somebody is asked again.
    window_.reset();
    std::filesystem::rename(dir_->file("archive"), dir_->file("attic"));
    std::filesystem::create_directories(dir_->file("archive"));
    openReviewPage();
    window_->fileDrop().open({store}, false);
    QTRY_VERIFY((dialog = window_->findChild<QFileDialog*>("imagesDialog")) != nullptr);
    dialog->reject();
    part<OpenMenu>("openMenu").setNextFileName(QString::fromStdString(dir_->file("attic")));
    open(store.toStdString());
    QCOMPARE(reviewer().file().place(), store);
    QCOMPARE(decided(fileName(0)), QStringLiteral("dog"));
  }

  void imagesThatWereRenamedAreFoundByTheirContent() {
    const std::filesystem::path labels = writeLabels("csv");
    open(labels.string());
    QTest::keyClick(&page(), QLatin1Char('2').toLatin1());  // dog
    QTRY_COMPARE(reviewer().decidedInRun(), 1);
    reviewer().file().remark(RemarkSubject::kItem, idOf(fileName(0)), QStringLiteral("blurred"));
    QTRY_VERIFY(!reviewer().busy());
    const QString store = reviewer().file().place();
    window_.reset();
    std::filesystem::create_directories(dir_->file("archive/sorted"));
    std::filesystem::rename(labels,
                            std::filesystem::path(dir_->file("archive")) / labels.filename());
    std::filesystem::rename(dir_->file("images"), dir_->file("archive/sorted/images"));
    openReviewPage();
    part<OpenMenu>("openMenu").setNextFileName(QString::fromStdString(dir_->file("archive")));
    open(store.toStdString());
    // Other ids need another file; the old one stays as it was.
    const QString copy = reviewer().file().place();
    QVERIFY2(copy.endsWith("-moved.labels"), qPrintable(copy));
    QCOMPARE(countDecidedItems(store.toStdString()).value(), 1);
    QCOMPARE(reviewer().decidedInRun(), 1);
    QCOMPARE(reviewer().queue().length(), kImages - 1);
    QCOMPARE(decided("sorted/images/" + fileName(0)), QStringLiteral("dog"));
    QCOMPARE(reviewer().file().commentsOn(idOf("sorted/images/" + fileName(0))).size(),
             std::size_t{1});
    const std::string note = reviewer().analysis()->in().run->meta.notes.back();
    QVERIFY2(note.starts_with("1 images with a label have other paths"), note.c_str());
    // A second opinion of the copy needs no folder.
    openReviewPage();
    open(copy.toStdString());
    QCOMPARE(reviewer().decidedInRun(), 1);
  }

  void aNetworkWithOtherClassesIsSaidBeforeItComputes() {
    open(writeLabels("csv"));
    auto& note = part<QLabel>("computeClassesNote");
    QVERIFY(note.text().isEmpty());
    window_->workbench().opener().open(
        {{(sourceDir() / "tests/data/models/scripted.pt").string(), FileKind::kModel, false, {}}});
    QTRY_COMPARE_WITH_TIMEOUT(session().models().size(), std::size_t{1}, kPatience);
    QTRY_COMPARE(note.text(), QStringLiteral("The network has 10 classes, the labels have 3: its "
                                             "run cannot be reviewed together with them."));
  }

  /// Class 0 of the labels is the cat; a run whose class 0 is the owl must not name it.
  void aRunWithOtherClassesStopsTheReview() {
    open(writeLabels("csv"));
    QTest::keyClick(&page(), Qt::Key_Return);
    QTRY_COMPARE(reviewer().decidedInRun(), 1);
    QTRY_VERIFY(!reviewer().busy());
    const auto other = std::make_shared<Analysis>(*reviewer().analysis());
    const auto run = std::make_shared<dubito::Run>(*other->in().run);
    std::ranges::reverse(run->meta.class_names);
    other->parts.front().run = run;
    QSignalSpy noticed(&page(), &ReviewPage::noticed);
    session().addAnalysis(other);
    QTRY_VERIFY(!reviewer().active());
    QCOMPARE(noticed.count(), 1);
    const QString said = noticed.takeFirst().at(0).toString();
    QVERIFY2(said.startsWith("The review stops here: this run has the classes") &&
                 said.contains("owl") && said.contains("cat"),
             qPrintable(said));
    session().setActiveAnalysis(0);
    part<QPushButton>("reviewStart").click();
    waitForAnImage();
    QCOMPARE(reviewer().decidedInRun(), 1);
    // Classes that somebody has added since are those of the labels, too.
    reviewer().file().addClass(QStringLiteral("hat"));
    QTRY_COMPARE(reviewer().file().classes().size(), std::size_t{4});
    const auto larger = std::make_shared<dubito::Run>(*reviewer().analysis()->in().run);
    larger->meta.class_names.emplace_back("hat");
    const auto grown = std::make_shared<Analysis>(*reviewer().analysis());
    grown->parts.front().run = larger;
    session().addAnalysis(grown);
    QTRY_VERIFY(!reviewer().busy());
    QVERIFY(reviewer().active());
    QCOMPARE(reviewer().analysis(), AnalysisPtr(grown));
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

  void anUnknownNameAsksBeforeItBecomesAClass() {
    open(writeLabels("csv"));
    auto& search = part<QLineEdit>("reviewSearch");
    QTest::keyClick(&page(), Qt::Key_Slash);
    QTRY_VERIFY(search.hasFocus());
    QTest::keyClicks(&search, QStringLiteral("lynx"));
    QTest::keyClick(&search, Qt::Key_Return);
    QVERIFY(part<QLabel>("reviewNewClass").isVisible());
    QCOMPARE(part<QLabel>("reviewNewClass").text(),
             QStringLiteral("There is no class “lynx”. Enter adds it, Esc goes back."));
    QVERIFY(reviewSettles());
    QCOMPARE(int(reviewer().file().classes().size()), 3);
    QTest::keyClicks(&search, QStringLiteral("x"));
    QVERIFY(!part<QLabel>("reviewNewClass").isVisible());  // another name is another question
    QTest::keyClick(&search, Qt::Key_Backspace);
    QTest::keyClick(&search, Qt::Key_Return);
    QTest::keyClick(&search, Qt::Key_Return);
    QTRY_COMPARE(int(reviewer().file().classes().size()), 4);
    QCOMPARE(reviewer().decidedInRun(), 0);
  }

  void aClassKeyNeverGoesToAList_data() {
    QTest::addColumn<QString>("widget");
    for (const char* const name : {"reviewQueue", "reviewHidden", "reviewClassOrder", "reviewModes",
                                   "reviewUndo", "reviewKeys"}) {
      QTest::newRow(name) << QString::fromLatin1(name);
    }
  }
  void aClassKeyNeverGoesToAList() {
    QFETCH(QString, widget);
    open(writeLabels("csv"));
    auto& focused = part<QWidget>(qPrintable(widget));
    focused.setFocus();
    const std::string queue = reviewer().reviewQueue().key();
    const int mode = part<QTabBar>("reviewModes").currentIndex();
    QTest::keyClick(&focused, Qt::Key_2);
    QTRY_COMPARE(decided(fileName(0)), QStringLiteral("dog"));
    QCOMPARE(reviewer().reviewQueue().key(), queue);
    QCOMPARE(part<QTabBar>("reviewModes").currentIndex(), mode);
    QVERIFY(page().hasFocus());
  }

  void inAListOfDecidedImagesTheNextOneFollows() {
    open(writeLabels("csv"));
    std::vector<std::int64_t> ids;
    for (int i = 0; i < 3; ++i) {
      QTRY_VERIFY(reviewer().takesDecisions());
      ids.push_back(reviewer().itemAt(reviewer().position()));
      QTest::keyClick(&page(), Qt::Key_Return);
      QTRY_COMPARE(reviewer().decidedInRun(), i + 1);
    }
    reviewer().reviewQueue().setItems(
        {.key = "changed", .name = "changed", .why = "These.", .ids = ids});
    QTRY_VERIFY(reviewer().takesDecisions() && reviewer().position() == 0);
    for (int i = 0; i < 3; ++i) {
      QTRY_VERIFY(reviewer().takesDecisions());
      QCOMPARE(reviewer().itemAt(reviewer().position()), ids[static_cast<std::size_t>(i)]);
      QTest::keyClick(&page(), Qt::Key_3);  // owl
      const std::int64_t item = ids[static_cast<std::size_t>(i)];
      QTRY_VERIFY(reviewer().file().labelOf(item)->class_id == 2);
      QTRY_VERIFY(!reviewer().busy());
    }
  }

  void aFilterShowsSomeImagesAlsoDecidedOnes() {
    open(writeLabels("csv"));
    QTest::keyClick(&page(), Qt::Key_2);  // the first, a cat, is a dog
    QTRY_COMPARE(reviewer().decidedInRun(), 1);
    QTRY_VERIFY(reviewer().takesDecisions());
    QTest::keyClick(&page(), Qt::Key_S);
    QTRY_COMPARE(shownImage(), fileName(2));
    auto& button = part<QPushButton>("reviewFilter");
    const auto choose = [&](const char* name, const QString& given, const QString& state) {
      QTest::mouseClick(&button, Qt::LeftButton);
      part<QLineEdit>("reviewFilterName").setText(QLatin1String(name));
      auto& classes = part<QComboBox>("reviewFilterGiven");
      classes.setCurrentIndex(std::max(0, classes.findText(given)));
      auto& states = part<QComboBox>("reviewFilterState");
      states.setCurrentIndex(states.findText(state));
      part<QPushButton>("reviewFilterShow").click();
      QTRY_VERIFY(!reviewer().busy());
    };
    choose("", "", "decided");
    QCOMPARE(reviewer().queue().length(), 1);
    QCOMPARE(shownImage(), fileName(0));
    QCOMPARE(button.text(), QStringLiteral("Filter: decided"));
    choose("", "", "skipped");
    QCOMPARE(shownImage(), fileName(1));
    choose("IMG_10", "owl", "undecided");
    QCOMPARE(reviewer().queue().length(), 3);  // 102, 105, 108
    QVERIFY2(part<QLabel>("reviewProgressText").text().contains("1 of 12 in all"),
             qPrintable(part<QLabel>("reviewProgressText").text()));
    choose("nothing", "", "any");
    QCOMPARE(reviewer().queue().length(), 0);
    QCOMPARE(part<QLabel>("reviewWhy").text(), QStringLiteral("No image fits the filter."));
    QTest::mouseClick(&button, Qt::LeftButton);
    part<QPushButton>("reviewFilterClear").click();
    QTRY_VERIFY(!reviewer().busy() && reviewer().queue().length() == kImages - 1);
    QCOMPARE(button.text(), QStringLiteral("Filter…"));
  }

  void theImageIsTurnedAndBrightenedOnTheScreenOnly() {
    open(writeLabels("csv"));
    auto& image = part<ZoomView>("reviewImage");
    const QSize upright = image.image().size();
    QVERIFY(upright.width() > upright.height());
    QTest::keyClick(&page(), Qt::Key_R, Qt::ControlModifier);
    QCOMPARE(image.image().size(), upright.transposed());
    QTest::keyClick(&page(), Qt::Key_B, Qt::ControlModifier);
    auto& form = part<QWidget>("reviewLight");
    QVERIFY(form.isVisible());
    const int before = image.image().pixelColor(3, 3).green();
    part<QSlider>("reviewBrightness").setValue(20);
    QCOMPARE(image.image().pixelColor(3, 3).green(), before + 51);
    form.close();
    QTest::keyClick(&page(), Qt::Key_Return);
    QTRY_COMPARE(shownImage(), fileName(1));
    QTRY_VERIFY(reviewer().takesDecisions());
    QCOMPARE(image.image().size(), upright);  // the next one is upright
  }

  void fShowsTheImageAlone() {
    open(writeLabels("csv"));
    const auto& image = part<ZoomView>("reviewImage");
    for (const QSize& size : {QSize(1280, 800), QSize(1024, 700), QSize(960, 540)}) {
      window_->resize(size);
      QCoreApplication::processEvents();  // lays out anew
      QTRY_VERIFY(reviewer().takesDecisions());
      const int before = image.height();
      QTest::keyClick(&page(), Qt::Key_F);
      QTRY_VERIFY2(image.height() > before + 60, qPrintable(QString::number(image.height())));
      QVERIFY(part<QLabel>("reviewSuggestion").isVisible());
      QTest::keyClick(&page(), Qt::Key_Escape);
      QTRY_COMPARE(image.height(), before);
    }
  }

  void whileSuggestionsAreHiddenNothingTellsTheGivenClass() {
    std::filesystem::create_directories(dir_->file("sorted/cat"));
    std::filesystem::copy_file(dir_->file("images/" + fileName(0)),
                               dir_->file("sorted/cat/one.png"));
    open(dir_->file("sorted"), FileKind::kLabels);
    reviewer().choices().setHiddenShare(1.0);
    QTRY_VERIFY(reviewer().takesDecisions());
    for (const QWidget* const widget : page().findChildren<QWidget*>()) {
      const bool is_list = widget->objectName() == "reviewClasses";
      const auto* const label = qobject_cast<const QLabel*>(widget);
      const auto* const button = qobject_cast<const QPushButton*>(widget);
      if (!widget->isVisible() || is_list) {
        continue;
      }
      for (const QString& text : {label != nullptr ? label->text() : QString(),
                                  button != nullptr ? button->text() : QString(), widget->toolTip(),
                                  widget->accessibleName()}) {
        QVERIFY2(!text.contains("cat"), qPrintable(widget->objectName() + ": " + text));
      }
    }
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

  void theReviewAloneHidesTheRestAndGivesTheImageItsRoom() {
    const int before = [this] {
      open(writeLabels("csv"));
      return part<ZoomView>("reviewImage").width() * part<ZoomView>("reviewImage").height();
    }();
    window_->reviewAlone().action()->trigger();
    for (const char* const name :
         {"pageTabs", "computeButton", "exportButton", "openButton", "workspacePanel"}) {
      QVERIFY2(!part<QWidget>(name).isVisible(), name);
    }
    QVERIFY(part<QPushButton>("openLabelsButton").isVisible());
    QVERIFY(part<QTabBar>("reviewModes").isVisible());
    QVERIFY(part<QPushButton>("reviewKeys").isVisible());
    QTRY_VERIFY(reviewer().takesDecisions());
    const auto& image = part<ZoomView>("reviewImage");
    QTRY_VERIFY2(image.width() * image.height() > before * 5 / 4,
                 qPrintable(QStringLiteral("%1 x %2").arg(image.width()).arg(image.height())));
    QTest::keyClick(&page(), Qt::Key_Return);
    QTRY_COMPARE(reviewer().decidedInRun(), 1);
    // Other pages cannot be reached by their keys.
    QTest::keyClick(window_.get(), Qt::Key_1, Qt::ControlModifier);
    QVERIFY(window_->page() == PageId::kReview);
    // The choice is kept, and the way back leads to everything.
    openWindow();
    QVERIFY(window_->reviewAlone().isOn());
    QVERIFY(window_->page() == PageId::kReview);
    QTRY_VERIFY(part<WorkspaceRow>("reviewRecent0").isVisible());
    window_->reviewAlone().action()->trigger();
    QVERIFY(part<QTabBar>("pageTabs").isVisible());
    QVERIFY(part<QPushButton>("openButton").isVisible());
    QVERIFY(!part<QPushButton>("openLabelsButton").isVisible());
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

  void picturesOfOnesOwnLabels() {
    const QString folder = qEnvironmentVariable("DUBITO_SCREENSHOTS");
    const QStringList labels =
        qEnvironmentVariable("DUBITO_LABELS").split(u';', Qt::SkipEmptyParts);
    if (folder.isEmpty() || labels.isEmpty()) {
      QSKIP("only with DUBITO_SCREENSHOTS and DUBITO_LABELS");
    }
    const auto shoot = [&](const QString& name) {
      QTRY_VERIFY_WITH_TIMEOUT(window_->settled(), kPatience);
      deliverEvents();
      window_->grab().save(folder + u'/' + name + ".png");
    };
    window_->reviewAlone().show(true);
    shoot("start");
    window_->fileDrop().open(labels, false);
    waitForAnImage();
    for (int i = 0; i < 6; ++i) {
      waitForAnImage();
      QTest::keyClick(&page(), i % 3 == 2 ? Qt::Key_S : Qt::Key_Return);
      QTRY_VERIFY(!reviewer().busy());
    }
    const QSize sizes[] = {{1280, 800}, {1024, 700}, {1920, 1080}, {960, 540}};
    for (const bool dark : {false, true}) {
      applyTheme(*qobject_cast<QApplication*>(qApp), dark ? Theme::darkTheme() : Theme::light());
      for (const QSize& size : sizes) {
        window_->resize(size);
        shoot(QStringLiteral("%1-%2").arg(dark ? "dark" : "light").arg(size.width()));
      }
    }
    applyTheme(*qobject_cast<QApplication*>(qApp), Theme::light());
    window_->resize(1280, 800);
    const std::int64_t shown_class = reviewer().suggestion();
    reviewer().file().remark(RemarkSubject::kClass, shown_class,
                             QStringLiteral("Wings, beak; no aeroplanes with faces."));
    QTest::mouseClick(&part<QPushButton>("reviewEditClasses"), Qt::LeftButton);
    deliverEvents();
    QWidget& sheet = *part<QWidget>("reviewSheet").window();
    sheet.grab().save(folder + QStringLiteral("/classes.png"));
    sheet.close();
    for (std::int64_t row = 0; row < std::min<std::int64_t>(5, reviewer().queue().length());
         ++row) {
      reviewer().file().setExample(reviewer().itemAt(row), shown_class);
      QTRY_VERIFY(!reviewer().busy());
    }
    for (const bool dark : {false, true}) {
      applyTheme(*qobject_cast<QApplication*>(qApp), dark ? Theme::darkTheme() : Theme::light());
      const QString theme = dark ? QStringLiteral("-dark") : QString();
      shoot("guideline" + theme);
      auto& filter = part<QPushButton>("reviewFilter");
      QTest::mouseClick(&filter, Qt::LeftButton);
      deliverEvents();
      QWidget& form = *part<QLineEdit>("reviewFilterName").window();
      form.grab().save(folder + "/filter" + theme + ".png");
      form.close();
      for (const char* const mode : {"grid", "automatic", "learn", "results"}) {
        page().showMode(QLatin1String(mode));
        shoot(QLatin1String(mode) + theme);
      }
      page().showMode(QStringLiteral("single"));
    }
    applyTheme(*qobject_cast<QApplication*>(qApp), Theme::light());
    window_->reviewAlone().show(false);
    shoot("whole-window");
    openReviewPage();
    window_->reviewAlone().show(true);
    shoot("continue");
  }

 private:
  std::string writeLabels(const std::string& format) {
    return test::writeLabels(dir_->file("images"), format);
  }

  void open(const std::string& file, FileKind kind = FileKind::kUnknown) {
    window_->workbench().opener().open({{file, kind, false, {}}});
    waitForAnImage();
  }
  void waitForAnImage() {
    const auto waits = [this] { return !reviewer().active() || !reviewer().takesDecisions(); };
    const bool came = QTest::qWaitFor([&] { return !waits() && !reviewer().busy(); }, kPatience);
    const QString said = part<ErrorBanner>("errorBanner").messages().join(u'\n');
    QVERIFY2(came, qPrintable(QStringLiteral("active %1, busy %2, queue %3, page %4: %5")
                                  .arg(reviewer().active())
                                  .arg(reviewer().busy())
                                  .arg(reviewer().queue().length())
                                  .arg(int(window_->page()))
                                  .arg(said)));
  }
  QString nameOf(std::int64_t item) {
    const AnalysisPart& part = reviewer().analysis()->in();
    const auto row = static_cast<std::size_t>(reviewer().rowOf(item).value());
    return QString::fromStdString(part.dataset->itemName(part.dataset_index[row]));
  }
  std::string shownImage() {
    const auto row = reviewer().row();
    return row ? nameOf(reviewer().analysis()->in().run->ids.data()[*row]).toStdString()
               : std::string();
  }
  std::int64_t rowOfFile(const std::string& file) {
    const AnalysisPart& part = reviewer().analysis()->in();
    for (std::int64_t row = 0; row < part.run->itemCount(); ++row) {
      if (nameOf(part.run->ids.data()[row]).toStdString() == file) {
        return row;
      }
    }
    return -1;
  }
  std::int64_t idOf(const std::string& file) {
    return reviewer().analysis()->in().run->ids.data()[rowOfFile(file)];
  }
  /// The class that was decided for an image; empty: none.
  QString decided(const std::string& file) {
    const PresentLabel* const label =
        reviewer().file().labelOf(reviewer().analysis()->in().run->ids.data()[rowOfFile(file)]);
    return label == nullptr || !label->class_id
               ? QString()
               : QString::fromStdString(
                     findClass(reviewer().file().classes(), *label->class_id)->name);
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::ReviewLabelsTest)
#include "review_labels_test.moc"

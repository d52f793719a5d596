// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSysInfo>
#include <filesystem>

#include "app/review/labels/recent_reviews.h"
#include "app/review/labels/reservation_holder.h"
#include "app/review/settings/review_place.h"
#include "app/shell/file_drop.h"
#include "app/shell/open_menu.h"
#include "app/shell/workspace_commands.h"
#include "app/workspace/workspace_row.h"
#include "core/io/run_needs.h"
#include "tests/app/support/labelled_images.h"
#include "tests/app/support/labels_window.h"
#include "tests/support/shared_data.h"

namespace dubito::test {

/// The file of a review of labels: continued, moved, and shared with other persons and runs.
class ReviewLabelStoreTest : public QObject, private LabelsWindow {
  Q_OBJECT

 private Q_SLOTS:
  void init() { openLabelsPage(); }
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
    const std::string note = toText(reviewer().analysis()->in().run->meta.notes.back());
    QVERIFY2(note.starts_with("1 images with a label have other paths"), note.c_str());
    // A second opinion of the copy needs no folder.
    openReviewPage();
    open(copy.toStdString());
    QCOMPARE(reviewer().decidedInRun(), 1);
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
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::ReviewLabelStoreTest)
#include "review_label_store_test.moc"

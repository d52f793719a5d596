// SPDX-License-Identifier: GPL-3.0-or-later
// What a team shares in addition to its decisions: comments, texts about classes, lists of classes,
// and files for other programs.
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTimer>
#include <QTreeWidget>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/review/review_export.h"
#include "app/review/settings/review_class_editor.h"
#include "core/data/pixels/image_file.h"
#include "tests/app/support/labelled_images.h"
#include "tests/app/support/review_window.h"
#include "widgets/image_gallery.h"
#include "widgets/key_value_list.h"

namespace dubito::test {
namespace {

QString contentOf(const std::string& path) {
  QFile file(QString::fromStdString(path));
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// Lines of a table without its head.
int rowCount(const std::string& path) {
  return static_cast<int>(contentOf(path).count(u'\n')) - 1;
}

}  // namespace

class ReviewProjectTest : public QObject, private ReviewWindow {
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

  void aCommentIsWrittenWithoutDeciding() {
    open("csv");
    const std::int64_t item = itemShown();
    auto& field = part<QLineEdit>("reviewComment");
    QTest::keyClick(&page(), Qt::Key_M, Qt::ControlModifier);
    QTRY_VERIFY(field.hasFocus());
    QTest::keyClicks(&field, QStringLiteral("blurred 2, ask Ben"));
    QTest::keyClick(&field, Qt::Key_Return);
    QTRY_COMPARE(reviewer().file().comments().size(), std::size_t{1});
    QVERIFY(reviewSettles());
    QCOMPARE(reviewer().decidedInRun(), 0);  // neither the digit nor Enter has decided
    QCOMPARE(itemShown(), item);
    QVERIFY(!field.hasFocus());
    // Going on shows another, empty field; what is being typed is saved with the image it is about.
    QTest::keyClick(&page(), Qt::Key_D);
    QTRY_VERIFY(itemShown() != item);
    const std::int64_t second = itemShown();
    QCOMPARE(field.text(), QString());
    QTest::keyClick(&page(), Qt::Key_M, Qt::ControlModifier);
    QTest::keyClicks(&field, QStringLiteral("twice"));
    reviewer().showItem(item);
    QTRY_COMPARE(reviewer().file().comments().size(), std::size_t{2});
    QCOMPARE(field.text(), QStringLiteral("blurred 2, ask Ben"));
    QCOMPARE(reviewer().file().commentsOn(second).front().text, std::string("twice"));
    // Esc takes back what was typed, an empty text what was stored.
    QTest::keyClick(&page(), Qt::Key_M, Qt::ControlModifier);
    QTest::keyClicks(&field, QStringLiteral(" or not"));
    QTest::keyClick(&field, Qt::Key_Escape);
    QCOMPARE(field.text(), QStringLiteral("blurred 2, ask Ben"));
    reviewer().showItem(second);
    QTest::keyClick(&page(), Qt::Key_M, Qt::ControlModifier);
    field.selectAll();
    QTest::keyClick(&field, Qt::Key_Delete);
    QTest::keyClick(&field, Qt::Key_Return);
    QTRY_COMPARE(reviewer().file().comments().size(), std::size_t{1});
  }

  void theCommentsOfOthersAppearAndFilter() {
    open("csv");
    const std::int64_t item = itemShown();
    auto other = LabelStore::open(place(), StoreMode::kOpen).value();
    const Remark remark{.about = item, .annotator = "ben", .text = "an owl?"};
    QVERIFY(other->setRemarks(std::span(&remark, 1)).has_value());
    auto& text = part<QLabel>("reviewComments");
    QTRY_VERIFY_WITH_TIMEOUT(text.isVisible(), kPatience);  // without doing anything
    QCOMPARE(text.text(), QStringLiteral("ben writes: an owl?"));
    // Nobody is told the answer who is not to see the suggestion.
    QTest::keyClick(&page(), Qt::Key_H);
    QVERIFY(!text.text().contains("owl"));
    QTest::keyClick(&page(), Qt::Key_H);
    reviewer().reviewQueue().setFilter({.state = ItemState::kAny, .commented = true});
    QTRY_COMPARE(reviewer().queue().ids, std::vector<std::int64_t>{item});
    QVERIFY(part<QPushButton>("reviewFilter").text().endsWith("with a comment"));
  }

  void aTextAboutAClassStandsBesideTheClasses() {
    open("csv");
    auto& shown = part<QLabel>("reviewGuideline");
    QVERIFY(!shown.isVisible());
    QTest::mouseClick(&part<QPushButton>("reviewEditClasses"), Qt::LeftButton);
    auto& list = part<QTreeWidget>("reviewEditedClasses");
    auto& field = part<QPlainTextEdit>("reviewClassGuideline");
    QTRY_COMPARE(list.currentItem()->text(0), QStringLiteral("cat"));
    QTest::keyClicks(&field, QStringLiteral("Whiskers; no dogs."));
    list.setCurrentItem(list.topLevelItem(1));  // saved without a word
    QTRY_COMPARE(reviewer().file().guidelineOf(0), QStringLiteral("Whiskers; no dogs."));
    QCOMPARE(field.toPlainText(), QString());
    list.setCurrentItem(list.topLevelItem(0));
    QCOMPARE(field.toPlainText(), QStringLiteral("Whiskers; no dogs."));
    part<ReviewClassEditor>("reviewClassEditor").window()->close();
    QTRY_VERIFY(shown.isVisible());  // the first image is labelled cat
    QCOMPARE(shown.text(), QStringLiteral("cat: Whiskers; no dogs."));
    // Of a hidden suggestion, nothing is told.
    QTest::keyClick(&page(), Qt::Key_H);
    QVERIFY(!shown.isVisible());
  }

  void imagesAreExamplesOfTheirClass() {
    open("csv");
    auto& examples = part<ImageGallery>("reviewExamples");
    auto& classes = part<QTreeWidget>("reviewClasses");
    QVERIFY(!examples.isVisible());
    const std::int64_t item = itemShown();
    const auto chooseInMenu = [&](const QString& text) {
      QTimer::singleShot(0, this, [text] {
        auto* const menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        QVERIFY(menu != nullptr);
        QAction* const action = menu->actions().front();
        QCOMPARE(action->text(), text);
        action->trigger();
        menu->close();
      });
      const QTreeWidgetItem* const cat = classes.findItems(QStringLiteral("cat"), {}, 1).front();
      Q_EMIT classes.customContextMenuRequested(classes.visualItemRect(cat).center());
    };
    chooseInMenu(QStringLiteral("Make this image an example of cat"));
    QTRY_COMPARE(reviewer().file().examplesOf(0), std::vector<std::int64_t>{item});
    QTRY_VERIFY(examples.isVisible());  // the image is labelled cat
    QCOMPARE(examples.count(), qint64{1});
    // Of another class, there are none; of this one they stay for the next image and window.
    QTest::keyClick(&page(), Qt::Key_2);
    QTRY_VERIFY(reviewer().decidedInRun() == 1 && reviewer().takesDecisions());
    QVERIFY(!examples.isVisible());
    const std::string store = place();
    openReviewPage();
    openFile(store);
    QTRY_COMPARE(reviewer().file().examplesOf(0), std::vector<std::int64_t>{item});
    reviewer().showItem(item);
    QTRY_VERIFY(!reviewer().busy());
    auto& again = part<QTreeWidget>("reviewClasses");
    QTimer::singleShot(0, this, [] {
      auto* const menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
      QVERIFY(menu != nullptr);
      QCOMPARE(menu->actions().front()->text(), QStringLiteral("This image is no example of cat"));
      menu->actions().front()->trigger();
      menu->close();
    });
    const QTreeWidgetItem* const cat = again.findItems(QStringLiteral("cat"), {}, 1).front();
    Q_EMIT again.customContextMenuRequested(again.visualItemRect(cat).center());
    QTRY_VERIFY(reviewer().file().examplesOf(0).empty());
  }

  void classesGoToTheNextProject() {
    open("csv");
    QTest::mouseClick(&part<QPushButton>("reviewEditClasses"), Qt::LeftButton);
    auto& editor = part<ReviewClassEditor>("reviewClassEditor");
    auto& message = part<QLabel>("reviewClassMessage");
    const std::string mine = dir_->file("mine.json");
    editor.setNextFileName(QString::fromStdString(mine));
    part<QPushButton>("reviewClassListSave").click();
    QCOMPARE(message.text(), QStringLiteral("Saved as mine.json."));
    QVERIFY(contentOf(mine).contains("owl"));
    // A list of CVAT with a colour, and a class that is new here.
    const std::string theirs = dir_->file("theirs.json");
    std::ofstream(theirs) << R"([{"name": "dog", "color": "#102030", "attributes": []},
                                 {"name": "fox", "color": "#405060", "attributes": []}])";
    editor.setNextFileName(QString::fromStdString(theirs));
    part<QPushButton>("reviewClassListOpen").click();
    QTRY_COMPARE(reviewer().file().classes().size(), std::size_t{4});
    QCOMPARE(reviewer().file().classes()[3].name, std::string("fox"));
    QCOMPARE(reviewer().file().classes()[1].colour, std::string("#102030"));
    QVERIFY2(message.text().startsWith("theirs.json: 1 class added, 1 changed."),
             qPrintable(message.text()));
    // What is no list changes nothing and says so.
    editor.setNextFileName(QString::fromStdString(dir_->file("images/" + fileName(0))));
    part<QPushButton>("reviewClassListOpen").click();
    QTRY_VERIFY(message.text().contains(QString::fromStdString(fileName(0))));
    QCOMPARE(reviewer().file().classes().size(), std::size_t{4});
  }

  void imagesWithoutADecisionAreExportedAsOneChooses() {
    open("csv");
    QTest::keyClick(&page(), Qt::Key_Return);
    QTRY_COMPARE(reviewer().decidedInRun(), 1);
    exportAs("csv", "only.csv");
    QCOMPARE(rowCount(dir_->file("only.csv")), 1);
    choose("undecided-keep");
    exportAs("csv", "all.csv");
    QCOMPARE(rowCount(dir_->file("all.csv")), kImages);
    QVERIFY(contentOf(dir_->file("all.csv")).contains(QString::fromStdString(fileName(5))));
    choose("undecided-suggest-50");
    exportAs("csv", "sure.csv");
    int sure = 0;
    for (int i = 0; i < kImages; ++i) {
      sure += i == 0 || score(i) >= 0.5 ? 1 : 0;  // the first was decided
    }
    QCOMPARE(rowCount(dir_->file("sure.csv")), sure);
    // The choice holds for the next time.
    QCOMPARE(reviewer().choices().exports().min_probability, 0.5);
    QMenu& menu = *part<ReviewExport>("reviewExport").menu();
    Q_EMIT menu.aboutToShow();
    QVERIFY(part<QAction>("undecided-suggest-50").isChecked());
    QVERIFY(!part<QAction>("undecided-drop").isChecked());
  }

  void shapesOfTheOpenedFileAreWrittenBack() {
    const std::string file = dir_->file("images/annotations.xml");
    std::ofstream(file) << R"(<?xml version="1.0"?><annotations><version>1.1</version>
      <image id="0" name="img_100.png" width="32" height="24"><tag label="cat" source="auto"/>
        <box label="cat" source="manual" xtl="1.5" ytl="2" xbr="9" ybr="8"/></image>
      <image id="1" name="img_101.png" width="32" height="24"><tag label="dog"/></image>
      </annotations>)";
    openFile(file);
    QTest::keyClick(&page(), Qt::Key_2);  // cat is a dog
    QTRY_COMPARE(reviewer().decidedInRun(), 1);
    exportAs("cvat", "back.xml");
    const QString back = contentOf(dir_->file("back.xml"));
    QVERIFY2(back.contains("xtl=\"1.5\""), qPrintable(back));
    QVERIFY2(back.contains("label=\"dog\""), qPrintable(back));  // undecided, stays as it was
    choose("exportShapes");
    exportAs("cvat", "plain.xml");
    QVERIFY(!contentOf(dir_->file("plain.xml")).contains("<box"));
  }

  void copiesWithAnotherLabelComeFirst() {
    QImage picture(40, 30, QImage::Format_RGB888);
    for (int y = 0; y < 30; ++y) {
      for (int x = 0; x < 40; ++x) {
        const auto wave = [](double at) { return static_cast<int>(128.0 + 100.0 * std::sin(at)); };
        picture.setPixelColor(x, y, QColor(wave(0.2 * x + 0.1 * y), wave(0.3 * y), wave(0.15 * x)));
      }
    }
    const auto path = [this](int image) {
      return QString::fromStdString(dir_->file("images/" + fileName(image)));
    };
    QVERIFY(picture.save(path(3)));
    QVERIFY(picture.scaled(80, 60, Qt::IgnoreAspectRatio, Qt::SmoothTransformation).save(path(7)));
    open("csv");
    reviewer().reviewQueue().choose("duplicates");
    QTRY_COMPARE(reviewer().reviewQueue().key(), std::string("duplicates"));
    QTRY_VERIFY(!reviewer().busy());
    QCOMPARE(reviewer().queue().length(), 2);
    QCOMPARE(reviewer().queue().first_part.value_or(-1), 2);  // cat and dog
  }

  void whatEachPersonHasDoneIsCounted() {
    open("csv");
    auto other = LabelStore::open(place(), StoreMode::kOpen).value();
    const auto& ids = reviewer().analysis()->in().run->ids;
    for (int i = 0; i < 3; ++i) {
      const Decision decision{.item = ids.data()[i],
                              .action = i == 2 ? LabelAction::kSkip : LabelAction::kCorrect,
                              .class_id = i == 2 ? std::nullopt : std::optional(std::int64_t{2}),
                              .annotator = "ben"};
      QVERIFY(other->decide(std::span(&decision, 1)).has_value());
    }
    page().showMode(QStringLiteral("results"));
    auto& persons = part<KeyValueList>("reviewPersons");
    QTRY_VERIFY(!persons.values().empty());
    QCOMPARE(persons.values()[0].name, QStringLiteral("ben"));
    QCOMPARE(persons.values()[0].value, QStringLiteral("2 decided, 1 skipped"));
    QVERIFY(persons.values()[0].unit.isEmpty());
    // Of the images that came as cat, dog and owl, the first two are decided, as owls.
    const auto& progress = part<KeyValueList>("reviewClassProgress").values();
    QCOMPARE(progress.size(), std::size_t{3});
    QCOMPARE(progress[0].name, QStringLiteral("cat"));
    QCOMPARE(progress[0].value, QStringLiteral("1 of 4"));
    QCOMPARE(progress[0].unit, QStringLiteral("· 1 changed"));
    QCOMPARE(progress[2].value, QStringLiteral("0 of 4"));
    QCOMPARE(progress[2].unit, QString());
  }

  void secondOpinionsAreAskedForAClassOrAShare() {
    open("csv");
    auto other = LabelStore::open(place(), StoreMode::kOpen).value();
    const auto& ids = reviewer().analysis()->in().run->ids;
    for (int i = 0; i < kImages; ++i) {
      const Decision decision{.item = ids.data()[i],
                              .action = LabelAction::kCorrect,
                              .class_id = i < 4 ? 2 : 0,
                              .annotator = "ben"};
      QVERIFY(other->decide(std::span(&decision, 1)).has_value());
    }
    QTRY_COMPARE_WITH_TIMEOUT(reviewer().file().labels().size(), std::size_t{kImages}, kPatience);
    reviewer().reviewQueue().choose("second-opinion");
    QTRY_VERIFY(!reviewer().busy());
    QCOMPARE(reviewer().queue().length(), std::int64_t{kImages});
    const auto& classes = reviewer().file().classes();
    // The form offers what the order shows: decided images.
    part<QPushButton>("reviewFilter").click();
    QCOMPARE(part<QComboBox>("reviewFilterState").currentText(), QStringLiteral("any"));
    auto& decided = part<QComboBox>("reviewFilterDecided");
    decided.setCurrentIndex(decided.findText(QString::fromStdString(classes[2].name)));
    part<QPushButton>("reviewFilterShow").click();
    QTRY_VERIFY(!reviewer().busy());
    QCOMPARE(reviewer().queue().length(), std::int64_t{4});
    QCOMPARE(part<QPushButton>("reviewFilter").text(),
             QStringLiteral("Filter: decided as %1").arg(QString::fromStdString(classes[2].name)));
    // A share is the same in every window, and a smaller one is part of a larger one.
    const auto itemsOfShare = [&](int percent) {
      reviewer().reviewQueue().setFilter({.state = ItemState::kAny, .percent = percent});
      [this] { QTRY_VERIFY(!reviewer().busy()); }();
      std::vector<std::int64_t> items(reviewer().queue().ids.begin(), reviewer().queue().ids.end());
      std::ranges::sort(items);
      return items;
    };
    const auto all = itemsOfShare(100);
    const auto half = itemsOfShare(50);
    const auto fifth = itemsOfShare(20);
    QCOMPARE(all.size(), std::size_t{kImages});
    QVERIFY(half.size() < all.size() && fifth.size() <= half.size());
    QVERIFY(std::ranges::includes(half, fifth));
    QCOMPARE(itemsOfShare(50), half);
  }

 private:
  void open(const std::string& format) { openFile(writeLabels(dir_->file("images"), format)); }
  void openFile(const std::string& file) {
    window_->workbench().opener().open({{file, FileKind::kUnknown, false, {}}});
    QTRY_VERIFY_WITH_TIMEOUT(
        reviewer().active() && reviewer().takesDecisions() && !reviewer().busy(), kPatience);
  }
  std::int64_t itemShown() {
    return reviewer().analysis()->in().run->ids.data()[reviewer().row().value_or(0)];
  }
  void choose(const char* name) { part<QAction>(name).trigger(); }
  void exportAs(const std::string& format, const std::string& file) {
    const QString path = QString::fromStdString(dir_->file(file));
    auto& exporter = part<ReviewExport>("reviewExport");
    QSignalSpy written(&exporter, &ReviewExport::written);
    exporter.setNextFileName(path);
    choose(("exportLabels-" + format).c_str());
    QTRY_COMPARE_WITH_TIMEOUT(written.count(), 1, kPatience);
    QVERIFY(QFile::exists(path));
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::ReviewProjectTest)
#include "review_project_test.moc"

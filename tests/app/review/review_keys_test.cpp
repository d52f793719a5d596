// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/settings/review_keys.h"

#include <QColorDialog>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTreeWidget>
#include <algorithm>
#include <set>

#include "app/review/labels/class_keys.h"
#include "app/review/settings/review_sheet.h"
#include "app/shell/key_list.h"
#include "tests/app/support/review_window.h"
#include "tests/support/gui_test.h"
#include "widgets/card_rows.h"
#include "widgets/image_gallery.h"
#include "widgets/zoom_view.h"

namespace dubito::test {

/// What annotators choose for themselves: keys, classes, hidden suggestions, their name.
class ReviewKeysTest : public QObject, private ReviewWindow {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    openReviewFolder();
    openReview();
  }
  void cleanup() { closeAll(); }

  void aChangedKeyWorksAndSurvivesARestart() {
    QCOMPARE(part<QPushButton>("reviewSkip").text(), "Skip (S)");
    openSheet();
    change(ReviewCommand::kSkip, Qt::Key_K);
    QCOMPARE(keysInList(ReviewCommand::kSkip), "K");
    QCOMPARE(part<QPushButton>("reviewSkip").text(), "Skip (K)");
    press(Qt::Key_S);  // no longer a key
    QCOMPARE(store()->newestSequence().value(), newestOfClasses());
    openReview();
    QCOMPARE(part<QPushButton>("reviewSkip").text(), "Skip (K)");
    const std::int64_t item = shownItem();
    press(Qt::Key_K);
    QTRY_COMPARE(reviewer().position(), 1);
    QVERIFY(storedLabel(item)->action == LabelAction::kSkip);
    QVERIFY(keysAsHtml(*window_).contains("Skip, decide later"));
  }

  void twoKeysForOneCommandAndNone() {
    openSheet();
    change(ReviewCommand::kNext, Qt::Key_PageDown, "reviewKeyAdd");
    QCOMPARE(keysInList(ReviewCommand::kNext), "D, Right, PgDown");
    press(Qt::Key_PageDown);
    press(Qt::Key_D);
    QCOMPARE(reviewer().position(), 2);
    QVERIFY(reviewer().file().labels().empty());  // moving decides nothing
    choose(ReviewCommand::kSkip);
    part<QPushButton>("reviewKeyRemove").click();
    QCOMPARE(keysInList(ReviewCommand::kSkip), "");
    QCOMPARE(part<QPushButton>("reviewSkip").text(), "Skip");
    openReview();
    QVERIFY(reviewer().keys().keysOf(ReviewCommand::kSkip).isEmpty());
  }

  void aKeyWithAnotherMeaningIsRefused() {
    openSheet();
    change(ReviewCommand::kSkip, Qt::Key_G);
    QCOMPARE(message(),
             "G is already the key of: Mark for somebody else. Remove it there, or "
             "choose another key.");
    change(ReviewCommand::kSkip, Qt::Key_2);
    QCOMPARE(message(), "2 chooses the class " + className(1) +
                            ". Choose another key, or give the class another one.");
    change(ReviewCommand::kSkip, Qt::Key_K, "reviewKeyChange", Qt::ControlModifier);
    QCOMPARE(message(), "Ctrl+K is a key of the window: Command palette. Choose another key.");
    change(ReviewCommand::kSkip, Qt::Key_Return, "reviewKeyChange", Qt::ControlModifier);
    QCOMPARE(message(),
             "Ctrl+Enter is a key of the window: Set up a computation. Choose another key.");
    change(ReviewCommand::kSkip, Qt::Key_Z, "reviewKeyChange", Qt::ControlModifier);
    QCOMPARE(message(),
             "Ctrl+Z is already the key of: Undo the last decision. Remove it there, or "
             "choose another key.");
    QCOMPARE(keysInList(ReviewCommand::kSkip), "S");
    change(ReviewCommand::kSkip, Qt::Key_Escape);
    QCOMPARE(keysInList(ReviewCommand::kSkip), "S");
  }

  void undoFollowsItsKey() {
    openSheet();
    change(ReviewCommand::kUndo, Qt::Key_Backspace);
    press(Qt::Key_Return);
    QTRY_COMPARE(reviewer().position(), 1);
    press(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(reviewSettles());
    QCOMPARE(reviewer().file().labels().size(), std::size_t{1});
    press(Qt::Key_Backspace);
    QTRY_VERIFY(reviewer().file().labels().empty());
    // Elsewhere the window keeps its key.
    window_->showPage(PageId::kOverview);
    QCOMPARE(part<QAction>("commandUndo").shortcut(), QKeySequence(QKeySequence::Undo));
  }

  void presetsHaveNoConflicts() {
    for (const KeyPreset& preset : ReviewKeys::presets()) {
      reviewer().keys().usePreset(preset.key);
      QCOMPARE(reviewer().keys().preset(), preset.key);
      std::set<QString> used;
      for (const ReviewCommand command : ReviewKeys::commands()) {
        QVERIFY2(!reviewer().keys().keysOf(command).isEmpty(),
                 qPrintable(preset.name + ReviewKeys::nameOf(command)));
        for (const QKeySequence& key : reviewer().keys().keysOf(command)) {
          QVERIFY2(used.insert(ReviewKeys::textOf(key)).second, qPrintable(key.toString()));
          QVERIFY(reviewer().keys().commandOf(key) == command);
        }
      }
      for (const QAction* const action : window_->actions()) {
        for (const QKeySequence& key : action->shortcuts()) {
          const bool is_ours =
              action->objectName() == "commandUndo" || action->objectName() == "commandRedo";
          QVERIFY2(is_ours || !used.contains(key.toString()), qPrintable(key.toString()));
        }
      }
      QCOMPARE(classKeys(reviewer().file().classes(), reviewer().keys()).size(), std::size_t{3});
    }
  }

  void presetsAndDefaultsAreChosenInTheSheet() {
    openSheet();
    auto& preset = part<QComboBox>("reviewKeyPreset");
    QCOMPARE(preset.currentText(), "Keys of Dubito");
    preset.setFocus();
    QTest::keyClick(&preset, Qt::Key_End);
    QCOMPARE(preset.currentText(), "Keys of CVAT");
    press(Qt::Key_F);
    QCOMPARE(reviewer().position(), 1);
    press(Qt::Key_D);
    QCOMPARE(reviewer().position(), 0);
    openReview();
    QCOMPARE(reviewer().keys().preset(), "cvat");
    openSheet();
    change(ReviewCommand::kFlag, Qt::Key_M);
    QVERIFY(reviewer().keys().preset().isEmpty());
    QVERIFY(part<QComboBox>("reviewKeyPreset").currentText().isEmpty());
    QTest::mouseClick(&part<QPushButton>("reviewKeyRestore"), Qt::LeftButton);
    QCOMPARE(reviewer().keys().preset(), "dubito");
    QCOMPARE(keysInList(ReviewCommand::kNext), "D, Right");
    QVERIFY(!settings_->contains("review/keys/next"));
    QVERIFY(!settings_->contains("review/keys/flag"));
  }

  void keysThatNeedShiftOnSomeLayoutsWork() {
    QKeyEvent slash(QEvent::KeyPress, Qt::Key_Slash, Qt::ShiftModifier, QStringLiteral("/"));
    QApplication::sendEvent(&page(), &slash);
    QTRY_VERIFY(part<QLineEdit>("reviewSearch").hasFocus());
    QTest::keyClick(&part<QLineEdit>("reviewSearch"), Qt::Key_Escape);
    QKeyEvent question(QEvent::KeyPress, Qt::Key_Question, Qt::ShiftModifier, QStringLiteral("?"));
    QApplication::sendEvent(&page(), &question);
    QTRY_VERIFY(part<ReviewSheet>("reviewSheet").isVisible());
    QKeyEvent digit(QEvent::KeyPress, Qt::Key_2, Qt::ShiftModifier, QStringLiteral("2"));
    QVERIFY(waitUntilPainted());
    QApplication::sendEvent(&page(), &digit);
    QTRY_COMPARE(reviewer().position(), 1);
  }

  void theImageAloneAndBack() {
    auto& rows = part<CardRows>("reviewRows");
    press(Qt::Key_F);
    QVERIFY(rows.enlarged() != nullptr);
    QVERIFY(!part<QTreeWidget>("reviewClasses").isVisible());
    press(Qt::Key_2);  // still chooses
    QTRY_COMPARE(reviewer().position(), 1);
    press(Qt::Key_Escape);
    QVERIFY(rows.enlarged() == nullptr);
  }

  void classesAreRenamedMergedAndUndone() {
    part<QPushButton>("reviewEditClasses").click();
    select(1);
    QCOMPARE(part<QLineEdit>("reviewClassKey").text(), "");
    QCOMPARE(part<QLineEdit>("reviewClassKey").placeholderText(), "2");  // the key in effect
    part<QLineEdit>("reviewClassName").setText("Fox");
    part<QLineEdit>("reviewClassKey").setText("x");
    QTest::keyClick(&part<QLineEdit>("reviewClassKey"), Qt::Key_Return);
    QTRY_COMPARE(storedClass(1).name, std::string("Fox"));
    QCOMPARE(storedClass(1).key, std::string("X"));
    QTRY_COMPARE(rowOf(1)->text(1), "Fox");
    QCOMPARE(rowOf(1)->text(0), "X");
    const std::int64_t item = shownItem();
    press(Qt::Key_X);
    QTRY_COMPARE(reviewer().position(), 1);
    QCOMPARE(*storedLabel(item)->class_id, 1);

    select(1);
    auto& into = part<QComboBox>("reviewMergeInto");
    into.setCurrentIndex(into.findData(QVariant::fromValue<qint64>(2)));
    QTest::mouseClick(&part<QPushButton>("reviewMerge"), Qt::LeftButton);
    QTRY_COMPARE(*storedLabel(item)->class_id, 2);
    QCOMPARE(storedClass(1).merged_into, std::optional<std::int64_t>(2));
    QTRY_VERIFY(rowOf(1) == nullptr);
    QCOMPARE(part<QLabel>("reviewClassMessage").text(),
             "Fox now counts as " + className(2) + ". Undo takes this back.");

    QVERIFY(waitUntilPainted());
    press(Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(*storedLabel(item)->class_id, 1);
    QTRY_VERIFY(rowOf(1) != nullptr && !reviewer().busy());
    press(Qt::Key_Z, Qt::ControlModifier);  // the decision
    QTRY_VERIFY(!storedLabel(item) && !reviewer().busy());
    press(Qt::Key_Z, Qt::ControlModifier);  // the new name
    QTRY_COMPARE(storedClass(1).name, className(1).toStdString());
    QVERIFY(storedClass(1).key.empty());
  }

  void keysOfClassesStayWhereTheyAre() {
    std::vector<LabelClass> classes;
    for (std::int64_t id = 0; id < 10; ++id) {
      classes.push_back({.id = id, .name = std::to_string(id)});
    }
    const auto keysNow = [&] { return classKeys(classes, reviewer().keys()); };
    const auto before = keysNow();
    QCOMPARE(before.at(9), QString("9"));
    classes[7].name = "seven";
    QVERIFY(keysNow() == before);
    classes.push_back({.id = 10, .name = "dog"});
    QVERIFY(!keysNow().contains(10));  // no digit is free
    QCOMPARE(keysNow().at(9), QString("9"));
    classes[3].merged_into = 8;
    QCOMPARE(keysNow().at(10), QString("3"));
    QCOMPARE(keysNow().at(7), QString("7"));

    std::vector<LabelClass> words = {
        {.id = 0, .name = "cat"}, {.id = 1, .name = "dog"}, {.id = 2, .name = "fox", .key = "1"}};
    const auto keys = classKeys(words, reviewer().keys());
    QCOMPARE(keys.at(2), QString("1"));
    QCOMPARE(keys.at(1), QString("2"));
    QCOMPARE(keys.at(0), QString("0"));
    words[0].merged_into = 1;
    QCOMPARE(classKeys(words, reviewer().keys()).at(1), QString("2"));
  }

  void classKeysThatAreTakenAreRefused() {
    part<QPushButton>("reviewEditClasses").click();
    select(0);
    const auto refused = [this](const QString& key) {
      part<QLineEdit>("reviewClassKey").setText(key);
      part<QPushButton>("reviewClassSave").click();
      return part<QLabel>("reviewClassMessage").text();
    };
    QCOMPARE(refused("s"),
             "S is the key of a command: Skip, decide later. Choose another key, or "
             "change the command's.");
    QCOMPARE(refused("!"), "The key of a class is one letter from A to Z or one digit.");
    QCOMPARE(refused("q"), "");
    QTRY_COMPARE(storedClass(0).key, std::string("Q"));
    QTRY_COMPARE(rowOf(0)->text(0), "Q");
    select(1);
    QCOMPARE(refused("Q"), "Q is the key of the class " + className(0) + ". Choose another key.");
    // The sheet of keys knows it, too.
    openSheet();
    change(ReviewCommand::kFit, Qt::Key_Q);
    QCOMPARE(message(), "Q chooses the class " + className(0) +
                            ". Choose another key, or give the class another one.");
  }

  void theClassesStayWhereTheyAreWhileOneIsEdited() {
    for (int i = 0; i < 40; ++i) {
      reviewer().file().addClass(QString("class %1").arg(i));
    }
    QTRY_COMPARE(reviewer().file().classes().size(), std::size_t{43});
    part<QPushButton>("reviewEditClasses").click();
    auto& list = part<QTreeWidget>("reviewEditedClasses");
    QTRY_COMPARE(list.topLevelItemCount(), 43);
    select(10);
    list.scrollToItem(list.currentItem(), QAbstractItemView::PositionAtTop);
    const int scrolled = list.verticalScrollBar()->value();
    QVERIFY(scrolled > 0);
    auto& name = part<QLineEdit>("reviewClassName");
    name.selectAll();
    QTest::keyClicks(&name, "heron");
    QTest::keyClick(&name, Qt::Key_Return);
    QTRY_COMPARE(storedClass(10).name, std::string("heron"));
    QTRY_COMPARE(list.topLevelItem(10)->text(0), "heron");
    QCOMPARE(list.verticalScrollBar()->value(), scrolled);
    // Enter has gone to the next class.
    QCOMPARE(list.currentItem(), list.topLevelItem(11));
    QCOMPARE(name.text(), "class 8");
    // A name that is refused can be corrected.
    name.selectAll();
    QTest::keyClicks(&name, "heron");
    part<QPushButton>("reviewClassSave").click();
    QTRY_VERIFY(!part<QLabel>("reviewClassMessage").text().isEmpty());
    QCOMPARE(name.text(), "heron");
    reviewer().file().addClass("from somebody else");
    QTRY_COMPARE(list.topLevelItemCount(), 44);
    QCOMPARE(name.text(), "heron");
  }

  void aCommandKeepsItsKeyIfAClassComesWithIt() {
    // Somebody else, with other keys, gave the class this key.
    auto other = LabelStore::open(reviewer().file().place().toStdString(), StoreMode::kOpen);
    QVERIFY(other.has_value());
    LabelClass changed = storedClass(1);
    changed.key = "s";
    QVERIFY((*other)->changeClass(changed, "somebody").has_value());
    QTRY_COMPARE(rowOf(1)->text(0), "");
    const std::int64_t item = shownItem();
    press(Qt::Key_S);
    QTRY_VERIFY(storedLabel(item));
    QVERIFY(storedLabel(item)->action == LabelAction::kSkip);
    openSheet();
    QCOMPARE(listItem(ReviewCommand::kSkip)->text(2),
             "so S does not choose the class " + className(1));
  }

  void coloursAreChosenAndShown() {
    part<QPushButton>("reviewEditClasses").click();
    select(1);
    part<QPushButton>("reviewClassColour").click();
    auto* const dialog = window_->findChild<QColorDialog*>();
    QVERIFY(dialog != nullptr);
    dialog->setCurrentColor(QColor(0x12, 0x34, 0x56));
    dialog->accept();
    QTRY_COMPARE(storedClass(1).colour, std::string("#123456"));
    const auto swatch = [this] {
      return rowOf(1)->icon(1).pixmap(12, 12).toImage().pixelColor(4, 4);
    };
    QTRY_COMPARE(swatch(), QColor(0x12, 0x34, 0x56));
    press(Qt::Key_2);
    QTRY_COMPARE(reviewer().position(), 1);
    QCOMPARE(part<ImageGallery>("reviewHistory").item(0).swatch, QColor(0x12, 0x34, 0x56));
  }

  void theOrderOfTheClassesIsChosenAndKeysStay() {
    const auto order = [this] {
      std::vector<std::int64_t> ids;
      const auto& list = part<QTreeWidget>("reviewClasses");
      for (int i = 0; i < list.topLevelItemCount(); ++i) {
        ids.push_back(list.topLevelItem(i)->data(1, Qt::UserRole).toLongLong());
        if (list.topLevelItem(i)->text(0) != QString::number(ids.back() + 1)) {
          qFatal("a key left its class");
        }
      }
      return ids;
    };
    const std::vector<std::int64_t> fixed = {0, 1, 2};
    int unlike = 0;
    for (int i = 0; i < 10; ++i) {
      const auto probs = reviewer().classProbs();
      std::vector<std::int64_t> expected = fixed;
      std::ranges::stable_sort(expected, std::ranges::greater(),
                               [&probs](std::int64_t id) { return probs.at(id); });
      QVERIFY(order() == expected);
      unlike += expected == fixed ? 0 : 1;
      press(Qt::Key_D);
    }
    QVERIFY(unlike > 0);
    press(Qt::Key_H);  // the order would tell
    QVERIFY(reviewer().hidesSuggestion());
    for (int i = 0; i < 10; ++i) {
      QVERIFY(order() == fixed);
      press(Qt::Key_A);
    }
    press(Qt::Key_H);
    auto& chooser = part<QComboBox>("reviewClassOrder");
    QTest::keyClick(&chooser, Qt::Key_End);
    QCOMPARE(chooser.currentText(), "Fixed order");
    openReview();
    QCOMPARE(part<QComboBox>("reviewClassOrder").currentText(), "Fixed order");
    for (int i = 0; i < 10; ++i) {
      QVERIFY(order() == fixed);
      press(Qt::Key_D);
    }
  }

  void theSameShareIsHiddenAfterARestart() {
    auto& hidden = part<QComboBox>("reviewHidden");
    hidden.setFocus();
    QTest::keyClick(&hidden, Qt::Key_Down);
    QTest::keyClick(&hidden, Qt::Key_Down);
    QCOMPARE(hidden.currentText(), "Hide suggestion: 1 in 5");
    const auto hiddenItems = [this] {
      std::set<std::int64_t> items;
      for (std::int64_t at = 0; at < reviewer().queue().length(); ++at) {
        reviewer().showItem(reviewer().itemAt(at));
        if (reviewer().hidesSuggestion()) {
          items.insert(reviewer().itemAt(at));
        }
      }
      return items;
    };
    const std::set<std::int64_t> before = hiddenItems();
    QVERIFY(before.size() > 4 && before.size() < 24);  // 12 of 60 expected
    openReview();
    QCOMPARE(part<QComboBox>("reviewHidden").currentText(), "Hide suggestion: 1 in 5");
    QVERIFY(hiddenItems() == before);
    reviewer().showItem(reviewer().itemAt(0));
    std::set<std::int64_t> decided;
    for (int i = 0; i < 20; ++i) {
      decided.insert(shownItem());
      QVERIFY(waitUntilPainted());
      QTest::keyClick(&page(), Qt::Key_1);
      QTRY_COMPARE(reviewer().decidedCount(), i + 1);
    }
    int unseen = 0;
    const auto journal = store()->journal();
    QVERIFY(journal.has_value());
    QCOMPARE(journal->size(), std::size_t{20});
    for (const RecordedDecision& recorded : *journal) {
      QCOMPARE(recorded.decision.prediction_shown, !before.contains(recorded.decision.item));
      unseen += recorded.decision.prediction_shown ? 0 : 1;
    }
    QVERIFY(unseen > 0);
    QCOMPARE(decided.size(), std::size_t{20});
  }

  void withAShareTheKeyConcernsTheImageShownAlone() {
    reviewer().choices().setHiddenShare(0.5);
    while (!reviewer().hidesSuggestion()) {
      press(Qt::Key_D);
    }
    const std::int64_t at = reviewer().position();
    press(Qt::Key_H);
    QVERIFY(!reviewer().hidesSuggestion());
    QCOMPARE(reviewer().choices().hiddenShare(), 0.5);
    QVERIFY(waitUntilPainted());
    part<ZoomView>("reviewImage").repaint();
    QTest::keyClick(&page(), Qt::Key_2);
    QTRY_COMPARE(reviewer().decidedCount(), 1);
    QVERIFY(store()->journal()->back().decision.prediction_shown);
    reviewer().showItem(reviewer().itemAt(at));
    while (!reviewer().hidesSuggestion()) {
      press(Qt::Key_D);
    }
    QVERIFY(reviewer().position() != at);
  }

  void theNameOfTheAnnotatorIsStored() {
    openSheet();
    auto& name = part<QLineEdit>("reviewAnnotator");
    name.setText(" Ada ");
    QTest::keyClick(&name, Qt::Key_Return);
    QCOMPARE(name.text(), "Ada");
    press(Qt::Key_Return);
    QTRY_COMPARE(reviewer().position(), 1);
    QCOMPARE(store()->journal()->back().decision.annotator, std::string("Ada"));
    openReview();
    press(Qt::Key_Return);
    QTRY_COMPARE(reviewer().file().labels().size(), std::size_t{2});
    QCOMPARE(store()->journal()->back().decision.annotator, std::string("Ada"));
    openSheet();
    auto& again = part<QLineEdit>("reviewAnnotator");
    again.clear();
    QTest::keyClick(&again, Qt::Key_Return);
    QCOMPARE(again.text(), qEnvironmentVariable("USER", "me"));
  }

 private:
  std::int64_t shownItem() { return reviewer().itemAt(reviewer().position()); }

  /// A new window with the review of the sample under way.
  void openReview() {
    openReviewPage();
    showSample();
    QTest::mouseClick(&part<QPushButton>("reviewStart"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(
        reviewer().active() && !reviewer().busy() && reviewer().position() == 0, kPatience);
  }
  bool waitUntilPainted() {
    return QTest::qWaitFor(
        [this] {
          return !page().busy() && !part<ZoomView>("reviewImage").image().isNull() &&
                 reviewer().takesDecisions();
        },
        kPatience);
  }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QVERIFY(waitUntilPainted());
    QTest::keyClick(&page(), key, modifiers);
  }

  void openSheet() {
    QTest::keyClick(&page(), Qt::Key_Question);
    QTRY_VERIFY(part<ReviewSheet>("reviewSheet").isVisible());
  }
  QTreeWidgetItem* listItem(ReviewCommand command) {
    const auto commands = ReviewKeys::commands();
    const auto at = std::ranges::find(commands, command) - commands.begin();
    return part<QTreeWidget>("reviewKeyList").topLevelItem(static_cast<int>(at));
  }
  QString keysInList(ReviewCommand command) { return listItem(command)->text(1); }
  void choose(ReviewCommand command) {
    part<QTreeWidget>("reviewKeyList").setCurrentItem(listItem(command));
  }
  void change(ReviewCommand command, Qt::Key key, const char* button = "reviewKeyChange",
              Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    choose(command);
    QTest::mouseClick(&part<QPushButton>(button), Qt::LeftButton);
    QTest::keyClick(&part<QTreeWidget>("reviewKeyList"), key, modifiers);
  }
  QString message() { return part<QLabel>("reviewKeyMessage").text(); }

  void select(std::int64_t class_id) {
    auto& list = part<QTreeWidget>("reviewEditedClasses");
    for (int i = 0; i < list.topLevelItemCount(); ++i) {
      if (list.topLevelItem(i)->data(0, Qt::UserRole).toLongLong() == class_id) {
        list.setCurrentItem(list.topLevelItem(i));
      }
    }
  }
  QTreeWidgetItem* rowOf(std::int64_t class_id) {
    const auto& list = part<QTreeWidget>("reviewClasses");
    for (int i = 0; i < list.topLevelItemCount(); ++i) {
      if (list.topLevelItem(i)->data(1, Qt::UserRole).toLongLong() == class_id) {
        return list.topLevelItem(i);
      }
    }
    return nullptr;
  }
  QString className(std::int64_t class_id) {
    return QString::fromStdString(session().activeAnalysis()->in().run->className(class_id));
  }

  // Read by another connection, as another program would.
  std::optional<PresentLabel> storedLabel(std::int64_t item) {
    return store()->label(item).value();
  }
  LabelClass storedClass(std::int64_t id) { return *findClass(store()->classes().value(), id); }
  /// The last entry that opening the store wrote.
  std::int64_t newestOfClasses() {
    return static_cast<std::int64_t>(store()->classes().value().size());
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::ReviewKeysTest)
#include "review_keys_test.moc"

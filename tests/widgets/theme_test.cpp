// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme.h"

#include <QEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPalette>
#include <QPushButton>
#include <QSignalSpy>
#include <QStackedWidget>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <vector>

#include "tests/support/gui_test.h"
#include "widgets/card.h"
#include "widgets/key_value_list.h"
#include "widgets/style_sheet.h"
#include "widgets/theme_follower.h"

namespace dubito::test {
namespace {

double luminance(const QColor& color) {
  const auto part = [](double c) {
    return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * part(static_cast<double>(color.redF())) +
         0.7152 * part(static_cast<double>(color.greenF())) +
         0.0722 * part(static_cast<double>(color.blueF()));
}

double contrast(const QColor& a, const QColor& b) {
  const double x = luminance(a);
  const double y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

/// Counts the events of a widget by their type.
class EventCounter : public QObject {
 public:
  std::map<QEvent::Type, int> counts;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    ++counts[event->type()];
    return QObject::eventFilter(watched, event);
  }
};

}  // namespace

class ThemeTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void textCanBeRead() {
    for (const Theme& theme : {Theme::light(), Theme::darkTheme()}) {
      for (const QColor& ground : {theme.window, theme.panel, theme.highlight}) {
        QVERIFY(contrast(theme.text, ground) > 7.0);
        QVERIFY(contrast(theme.muted, ground) > 4.5);
      }
      QVERIFY(contrast(theme.on_accent, theme.accent) > 4.5);
      // Lines and marks on a panel.
      for (const QColor& mark : {theme.correct, theme.misclassified, theme.runColor(0)}) {
        QVERIFY(contrast(mark, theme.panel) > 3.0);
      }
    }
  }

  void theDesktopsLightnessDecides() {
    QVERIFY(Theme::ofPalette(paletteOf(Theme::darkTheme())).dark);
    QVERIFY(!Theme::ofPalette(paletteOf(Theme::light())).dark);
  }

  void runsNeverTakeTheColourOfAGroup() {
    for (const Theme& theme : {Theme::light(), Theme::darkTheme()}) {
      for (int run = -1; run < 6; ++run) {
        for (const QColor& group : {theme.correct, theme.misclassified, theme.ood}) {
          QVERIFY(theme.runColor(run) != group);
        }
      }
    }
  }

  void applyingReachesPaletteAndWidgets() {
    QSignalSpy changed(&ThemeNotifier::instance(), &ThemeNotifier::changed);
    applyTheme(*qApp, Theme::darkTheme());
    QCOMPARE(changed.count(), 1);
    QVERIFY(currentTheme() == Theme::darkTheme());
    QCOMPARE(qApp->palette().color(QPalette::Window), Theme::darkTheme().window);
    QVERIFY(!qApp->styleSheet().contains('@'));
    applyTheme(*qApp, Theme::light());
    QCOMPARE(qApp->palette().color(QPalette::Base), Theme::light().panel);
  }

  void anotherThemeVisitsEachWidgetOnce() {
    applyTheme(*qApp, Theme::light());
    QLabel label("text");
    label.show();
    QVERIFY(QTest::qWaitForWindowExposed(&label));
    EventCounter events;
    label.installEventFilter(&events);
    applyTheme(*qApp, Theme::darkTheme());
    QVERIFY(events.counts[QEvent::StyleChange] <= 1);
    QCOMPARE(events.counts[QEvent::ApplicationFontChange], 0);
    QVERIFY(events.counts[QEvent::PaletteChange] + events.counts[QEvent::ApplicationPaletteChange] >
            0);
    applyTheme(*qApp, Theme::light());
  }

  void hiddenPagesGetTheColoursOfTheSheetWhenTheyAreShown() {
    applyTheme(*qApp, Theme::light());
    QStackedWidget pages;
    const auto addPage = [&pages] {
      auto* const page = new QWidget(&pages);
      auto* const label = new QLabel(QStringLiteral("text"), page);
      label->setProperty("role", QStringLiteral("muted"));
      pages.addWidget(page);
      return label;
    };
    QLabel* const shown = addPage();
    QLabel* const hidden = addPage();
    const auto colorOf = [](const QLabel* label) {
      return label->palette().color(QPalette::WindowText);
    };
    pages.show();
    QVERIFY(QTest::qWaitForWindowExposed(&pages));
    pages.setCurrentIndex(1);
    pages.setCurrentIndex(0);
    EventCounter events;
    hidden->installEventFilter(&events);
    for (const Theme& theme : {Theme::darkTheme(), Theme::light(), Theme::darkTheme()}) {
      applyTheme(*qApp, theme);
      QCOMPARE(colorOf(shown), theme.muted);
    }
    QCOMPARE(events.counts[QEvent::StyleChange], 0);
    pages.setCurrentIndex(1);
    QCOMPARE(events.counts[QEvent::StyleChange], 1);
    QCOMPARE(colorOf(hidden), Theme::darkTheme().muted);
    // Once more: nothing is left from before.
    pages.setCurrentIndex(0);
    pages.setCurrentIndex(1);
    QCOMPARE(events.counts[QEvent::StyleChange], 1);
    // A hidden window may be rendered, so it does not wait.
    pages.hide();
    applyTheme(*qApp, Theme::light());
    QCOMPARE(colorOf(shown), Theme::light().muted);
    QCOMPARE(colorOf(hidden), Theme::light().muted);
  }

  void largerTextReachesEveryWidget() {
    applyTheme(*qApp, Theme::light());
    QStackedWidget pages;
    const auto addPage = [&pages] {
      auto* const page = new QWidget(&pages);
      std::vector<QWidget*> parts{new QLabel("body", page), new QLabel("own font", page),
                                  new QLabel("muted", page), new QPushButton("button", page),
                                  new QLineEdit("field", page)};
      parts[1]->setFont(uiFont(TypeSize::kSmall));
      parts[2]->setProperty("role", QStringLiteral("muted"));
      pages.addWidget(page);
      return parts;
    };
    std::vector<QWidget*> parts = addPage();
    std::ranges::copy(addPage(), std::back_inserter(parts));
    pages.show();
    QVERIFY(QTest::qWaitForWindowExposed(&pages));
    pages.setCurrentIndex(1);
    const auto sizes = [&parts] {
      std::vector<double> points;
      for (const QWidget* const part : parts) {
        points.push_back(part->font().pointSizeF());
      }
      return points;
    };
    const std::vector<double> usual = sizes();
    constexpr double kScale = 1.5;
    for (int time = 0; time < 2; ++time) {
      setLookScale(*qApp, kScale);
      const std::vector<double> larger = sizes();
      for (std::size_t i = 0; i < parts.size(); ++i) {
        QCOMPARE(larger[i], kScale * usual[i]);
      }
      applyTheme(*qApp, time == 0 ? Theme::darkTheme() : Theme::light());
      QCOMPARE(sizes(), larger);
      setLookScale(*qApp, 1.0);
      QCOMPARE(sizes(), usual);
    }
  }

  void whatIsHiddenIsRestyledWhenItIsShown() {
    QStackedWidget pages;
    auto* const shown = new QWidget(&pages);
    auto* const hidden = new QWidget(&pages);
    pages.addWidget(shown);
    pages.addWidget(hidden);
    int of_shown = 0;
    int of_hidden = 0;
    new ThemeFollower(*shown, [&of_shown] { ++of_shown; });
    auto* const follower = new ThemeFollower(*hidden, [&of_hidden] { ++of_hidden; });
    // Nothing is on the screen: what is rendered has the theme at once.
    applyTheme(*qApp, Theme::darkTheme());
    QCOMPARE(of_shown, 1);
    QCOMPARE(of_hidden, 1);
    pages.show();
    QVERIFY(QTest::qWaitForWindowExposed(&pages));
    applyTheme(*qApp, Theme::light());
    applyTheme(*qApp, Theme::darkTheme());
    QCOMPARE(of_shown, 3);
    QCOMPARE(of_hidden, 1);
    pages.setCurrentWidget(hidden);
    QCOMPARE(of_hidden, 2);
    pages.setCurrentWidget(shown);
    pages.setCurrentWidget(hidden);
    QCOMPARE(of_hidden, 2);
    // An export of a hidden plot needs the theme before.
    pages.setCurrentWidget(shown);
    applyTheme(*qApp, Theme::light());
    QCOMPARE(of_hidden, 2);
    follower->catchUp();
    QCOMPARE(of_hidden, 3);
  }

  void aCardShowsTheFirstPartsOfItsSubtitleAndKeepsItWhole() {
    Card card("Reliability");
    card.setContent(new QLabel("content"));
    const QString conventions =
        "MC dropout T=100 · MNIST test · N = 10 000 · 15 bins, L1, equal width";
    card.setSubtitle(conventions);
    card.setFigure("ECE 1.14 %", "0.0114");
    card.resize(220, 200);
    card.show();
    (void)QTest::qWaitForWindowExposed(&card);
    auto* subtitle = card.findChild<QLabel*>("cardSubtitle");
    QCOMPARE(subtitle->text(), QString("MC dropout T=100 · MNIST test"));
    QCOMPARE(subtitle->toolTip(), conventions);
    QCOMPARE(card.subtitle(), conventions);
    card.resize(900, 200);
    QTRY_COMPARE(subtitle->text(), conventions);
    QCOMPARE(card.accessibleName(), "Reliability");
  }

  void aCardSaysWhatToDoWhereItIsEmpty() {
    Card card("ROC");
    auto* content = new QLabel("content");
    card.setContent(content);
    card.show();
    QVERIFY(content->isVisible());
    card.setEmptyText("Add an OOD data set");
    QVERIFY(!content->isVisible());
    QVERIFY(card.findChild<QLabel*>("cardEmpty")->isVisible());
    card.setEmptyText({});
    QVERIFY(content->isVisible());
    card.setContent(new QLabel("other"));
    QVERIFY(card.content()->isVisible());
  }

  void valuesStandBesideTheirNames() {
    KeyValueList list;
    list.setValues({{"entropy", "1.41", "nats", "H"}, {"confidence", "0.345", {}, {}}});
    list.show();
    QStringList texts;
    for (const QLabel* label : list.findChildren<QLabel*>()) {
      texts << label->text();
    }
    QCOMPARE(texts, QStringList({"entropy", "1.41 nats", "confidence", "0.345"}));
    list.setValues({{"margin", "0.1", {}, {}}});
    QCOMPARE(list.findChildren<QLabel*>().size(), 2);
  }
};

}  // namespace dubito::test

#include "theme_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::ThemeTest)

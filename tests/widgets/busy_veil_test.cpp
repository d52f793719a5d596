// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/busy_veil.h"

#include "tests/support/gui_test.h"
#include "widgets/card.h"

namespace dubito::test {

/// The sign that the content of a card is being computed again.
class BusyVeilTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void contentFadesAfterAMomentAndIsClearAtOnce() {
    Card card(QStringLiteral("Curve"));
    auto* const content = new QWidget(&card);
    card.setContent(content);
    card.resize(300, 200);
    card.show();
    QVERIFY(QTest::qWaitForWindowExposed(&card));
    BusyVeil& veil = partOf<BusyVeil>(card, "busyVeil");
    card.setBusy(true);
    QVERIFY(veil.isBusy());
    QVERIFY(!veil.isVisible());
    QTRY_VERIFY(veil.isVisible());
    QCOMPARE(veil.geometry(), content->geometry());
    card.resize(400, 260);
    QTRY_COMPARE(veil.geometry(), content->geometry());
    QVERIFY(veil.testAttribute(Qt::WA_TransparentForMouseEvents));
    card.setBusy(false);
    QVERIFY(!veil.isVisible());
    QVERIFY(!veil.isBusy());
  }

  void aResultInTimeShowsNoVeil() {
    Card card(QStringLiteral("Curve"));
    card.setContent(new QWidget(&card));
    card.show();
    const BusyVeil& veil = partOf<BusyVeil>(card, "busyVeil");
    card.setBusy(true);
    card.setBusy(false);
    QTest::qWait(BusyVeil::kDelayMs + 100);
    QVERIFY(!veil.isVisible());
  }

  void aMessageIsNeverFaded() {
    Card card(QStringLiteral("Curve"));
    card.setContent(new QWidget(&card));
    card.show();
    const BusyVeil& veil = partOf<BusyVeil>(card, "busyVeil");
    card.setBusy(true);
    card.setEmptyText(QStringLiteral("Preparing…"));
    QVERIFY(!veil.isBusy());
    card.setBusy(true);
    QVERIFY(!veil.isBusy());
  }
};

}  // namespace dubito::test

#include "busy_veil_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::BusyVeilTest)

// SPDX-License-Identifier: GPL-3.0-or-later
// Several windows review the same images at the same time, in a file and on a server.
// DUBITO_TEAM=4 DUBITO_DECISIONS=2000: with so many windows and decisions of each.
#include <QElapsedTimer>
#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "app/review/labels/reservations.h"
#include "app/shell/page_stack.h"
#include "core/labels/label_store.h"
#include "tests/app/support/review_window.h"
#include "tests/core/labels/postgres_server.h"

namespace dubito::test {
namespace {

int numberFrom(const char* variable, int usual) {
  bool valid = false;
  const int number = qEnvironmentVariableIntValue(variable, &valid);
  return valid ? number : usual;
}

/// A window of one person.
struct Seat {
  std::unique_ptr<QSettings> settings;
  std::unique_ptr<MainWindow> window;
  std::int64_t decided = 0;

  [[nodiscard]] Reviewer& reviewer() const { return window->pages().review().reviewer(); }
};

}  // namespace

class ReviewTeamTest : public QObject, private TestWindow {
  Q_OBJECT

 private Q_SLOTS:
  void init() { openFolder(); }
  void cleanup() {
    seats_.clear();
    closeAll();
  }

  void whatOthersHaveReservedIsKnownToTheEnd() {
    Reservations reservations;
    reservations.take({1, 2, 3, 4}, {2});  // fewer than wanted: the others are taken
    QCOMPARE(reservations.takenCount(), 3);
    QVERIFY(reservations.isTaken(4));
    std::vector<std::int64_t> asked(20);
    std::iota(asked.begin(), asked.end(), std::int64_t{0});
    std::vector<std::int64_t> granted(asked.begin() + 1,
                                      asked.begin() + 1 + Reservations::kReserved);
    reservations.take(asked, granted);
    QCOMPARE(reservations.takenCount(), 1);  // 0; what comes after the last one was not tried
  }

  void noImageIsDecidedTwiceAndAllCountTheSame_data() {
    QTest::addColumn<bool>("server");
    QTest::newRow("file") << false;
    QTest::newRow("server") << true;
  }
  void noImageIsDecidedTwiceAndAllCountTheSame() {
    QFETCH(bool, server);
    if (server && !PostgresServer::shared().missingReason().empty()) {
      QSKIP(PostgresServer::shared().missingReason().c_str());
    }
    const std::string place =
        server ? PostgresServer::shared().newDatabase() : dir_->file("team.labels");
    const int team = numberFrom("DUBITO_TEAM", 2);
    const int each = numberFrom("DUBITO_DECISIONS", 25);
    const std::int64_t images = std::int64_t{team} * each;
    for (int i = 0; i < team; ++i) {
      addSeat(i, images, place);
    }
    QElapsedTimer timer;
    timer.start();
    decideAll(images);
    qInfo("%d windows, %lld decisions in %.1f s", team, static_cast<long long>(images),
          static_cast<double>(timer.elapsed()) / 1000.0);
    const auto store = LabelStore::open(place, StoreMode::kReadOnly).value();
    std::map<std::int64_t, int> decisions;
    std::map<std::string, std::int64_t> by_person;
    const std::vector<RecordedDecision> journal = store->journal().value();
    for (const RecordedDecision& recorded : journal) {
      ++decisions[recorded.decision.item];
      ++by_person[recorded.decision.annotator];
    }
    QCOMPARE(std::ssize(decisions), images);
    for (const auto& [item, count] : decisions) {
      QVERIFY2(count == 1,
               qPrintable(QStringLiteral("image %1 was decided %2 times").arg(item).arg(count)));
    }
    QCOMPARE(std::ssize(by_person), static_cast<std::int64_t>(team));
    for (const Seat& seat : seats_) {
      QCOMPARE(by_person[seat.reviewer().file().annotator().toStdString()], seat.decided);
      QTRY_COMPARE_WITH_TIMEOUT(seat.reviewer().decidedInRun(), images, kPatience);
    }
    giveSecondOpinions(*store);
  }

 private:
  void addSeat(int number, std::int64_t images, const std::string& place) {
    Seat seat;
    seat.settings = std::make_unique<QSettings>(
        QString::fromStdString(dir_->file("settings" + std::to_string(number) + ".ini")),
        QSettings::IniFormat);
    seat.settings->setValue(QStringLiteral("review/annotator"),
                            QStringLiteral("person %1").arg(number));
    seat.window = std::make_unique<MainWindow>(*seat.settings);
    seat.window->resize(1000, 700);
    seat.window->showPage(PageId::kReview);
    seat.window->show();
    QVERIFY(QTest::qWaitForWindowExposed(seat.window.get()));
    RunContext context;
    const auto dataset =
        openDataset("synthetic:glyphs?n=" + std::to_string(images) + "&seed=1", context);
    QVERIFY(dataset.has_value());
    seat.window->session().addDataset(QStringLiteral("glyphs"), *dataset, false);
    seat.window->workbench().opener().reviewDataset();
    seats_.push_back(std::move(seat));
    const Seat& added = seats_.back();
    QTRY_VERIFY_WITH_TIMEOUT(added.window->session().activeAnalysis() != nullptr, kPatience);
    added.reviewer().start(QString::fromStdString(place), StoreMode::kOpenOrCreate);
    QTRY_VERIFY_WITH_TIMEOUT(
        added.reviewer().active() && added.reviewer().file().place().toStdString() == place,
        kPatience);
  }

  /// Everybody decides what the window shows, until all images are decided.
  void decideAll(std::int64_t images) {
    QElapsedTimer idle;
    idle.start();
    const auto isDone = [&] {
      return std::ranges::all_of(
          seats_, [&](const Seat& seat) { return seat.reviewer().decidedInRun() == images; });
    };
    while (!isDone() && idle.elapsed() < kPatience) {
      QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
      for (Seat& seat : seats_) {
        Reviewer& reviewer = seat.reviewer();
        if (!reviewer.takesDecisions() || !reviewer.row() || reviewer.isSettled()) {
          continue;
        }
        QTest::keyClick(&seat.window->pages().review(), Qt::Key_Return);
        ++seat.decided;
        idle.restart();
      }
    }
    for (const Seat& seat : seats_) {
      QTRY_VERIFY_WITH_TIMEOUT(!seat.reviewer().busy(), kPatience);
    }
  }

  /// Each person decides about an image that somebody else has decided: both opinions stay.
  void giveSecondOpinions(LabelStore& store) {
    for (const Seat& seat : seats_) {
      Reviewer& reviewer = seat.reviewer();
      const std::string own = reviewer.file().annotator().toStdString();
      reviewer.reviewQueue().choose("second-opinion");
      QTRY_VERIFY_WITH_TIMEOUT(reviewer.reviewQueue().key() == "second-opinion" &&
                                   !reviewer.busy() && reviewer.takesDecisions() && reviewer.row(),
                               kPatience);
      const std::int64_t item = reviewer.itemAt(reviewer.position());
      const auto before = store.opinions(item).value();
      QVERIFY(std::ranges::find(before, own, &Decision::annotator) == before.end());
      QTest::keyClick(&seat.window->pages().review(), Qt::Key_2);
      QTRY_COMPARE_WITH_TIMEOUT(store.opinions(item).value().size(), before.size() + 1, kPatience);
      const auto after = store.opinions(item).value();
      QCOMPARE(after.back().annotator, own);
      QCOMPARE(after.front().annotator, before.front().annotator);
      QCOMPARE(after.front().class_id, before.front().class_id);
      // What somebody has decided is never the given label of somebody else.
      const Run& run = *reviewer.analysis()->in().run;
      QCOMPARE(run.labels.data()[*reviewer.rowOf(item)],
               run.predictions.data()[*reviewer.rowOf(item)]);
    }
  }

  std::vector<Seat> seats_;
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::ReviewTeamTest)
#include "review_team_test.moc"

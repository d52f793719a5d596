// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

#include "app/review/grid/review_grid.h"
#include "core/data/items/item_files.h"
#include "core/data/sources/item_hash.h"
#include "core/data/sources/numbered_dataset.h"
#include "tests/app/support/review_window.h"
#include "tests/core/analysis/sample_analysis.h"
#include "tests/support/gui_test.h"
#include "widgets/tile_grid.h"
#include "widgets/zoom_view.h"

namespace dubito::test {
namespace {

constexpr std::int64_t kWidth = 1600;
constexpr std::int64_t kHeight = 1200;

/// Images that are quickly read at half their size, and whole only once the test allows it; so is
/// their file, which contains their number.
class Photographs : public NumberedDataset, public ItemFiles {
 public:
  Photographs(std::vector<std::int64_t> labels, std::string folder)
      : NumberedDataset({}, std::move(labels)), folder_(std::move(folder)) {
    mutableInfo().name = "photographs";
    std::filesystem::create_directories(folder_);
    for (std::int64_t index = 0; index < size(); ++index) {
      std::ofstream(pathOf(index)) << index;
    }
  }
  [[nodiscard]] Expected<Sample> read(std::int64_t index) const override {
    whole_.wait();
    return Sample(picture(index, 1));
  }
  [[nodiscard]] Expected<ReducedSample> readReduced(std::int64_t index,
                                                    std::int64_t min_side) const override {
    if (2 * min_side > kWidth) {
      whole_.wait();
      return ReducedSample{picture(index, 1), true};
    }
    reduced_.wait();
    return ReducedSample{picture(index, 2), false};
  }
  [[nodiscard]] std::string itemFile(std::int64_t index) const override {
    files_.wait();
    return pathOf(index);
  }
  void allowWhole(bool allowed) { whole_.set(allowed); }
  void allowReduced(bool allowed) { reduced_.set(allowed); }
  void allowFiles(bool allowed) { files_.set(allowed); }

 private:
  class Gate {
   public:
    void wait() {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return open_; });
    }
    void set(bool open) {
      {
        const std::lock_guard lock(mutex_);
        open_ = open;
      }
      changed_.notify_all();
    }

   private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool open_ = true;
  };

  [[nodiscard]] std::string pathOf(std::int64_t index) const {
    return folder_ + "/" + std::to_string(index);
  }
  static Image8 picture(std::int64_t index, std::int64_t divisor) {
    Image8 image{Array<std::uint8_t>::zeros({kHeight / divisor, kWidth / divisor, 1})};
    std::fill_n(image.pixels.mutableData(), image.pixels.values().size(),
                static_cast<std::uint8_t>(index));
    return image;
  }

  std::string folder_;
  mutable Gate whole_;
  mutable Gate reduced_;
  mutable Gate files_;
};

}  // namespace

/// Images with more pixels than a view shows: they are not read whole to be looked at.
class ReviewPhotographsTest : public QObject, private ReviewWindow {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    openReviewFolder();
    openReviewPage();
    const std::shared_ptr<const dubito::Run> run = sampleAnalysis()->in().run;
    photographs_ = std::make_shared<Photographs>(
        std::vector<std::int64_t>(run->labels.data(), run->labels.data() + run->itemCount()),
        dir_->file("photographs"));
    RunContext context;
    // Reads one item, to see what the dataset holds.
    std::vector<AnalysisPart> parts = {makePart("photographs", run, photographs_, context)};
    photographs_->allowWhole(false);
    session().addAnalysis(
        *analyse(std::move(parts), nullptr, std::nullopt, EvaluationOptions{}, context));
    QTRY_VERIFY(session().listing().items() != nullptr);
    QTest::mouseClick(&part<QPushButton>("reviewStart"), Qt::LeftButton);
    QTRY_VERIFY(reviewer().active() && !reviewer().busy() && reviewer().position() == 0);
  }
  void cleanup() {
    photographs_->allowReduced(true);
    photographs_->allowWhole(true);
    photographs_->allowFiles(true);
    closeAll();
  }

  void anImageIsShownAndDecidedWithoutDecodingItWhole() {
    QTRY_VERIFY(reviewer().takesDecisions());
    const std::int64_t item = reviewer().itemAt(0);
    QCOMPARE(qGray(view().image().pixel(0, 0)), static_cast<int>(item % 256));
    QVERIFY(view().image().width() < kWidth / 2);
    QTest::keyClick(&page(), Qt::Key_Return);
    QTRY_COMPARE(reviewer().position(), 1);
    QCOMPARE(journal().size(), std::size_t{1});
    QCOMPARE(journal().front().decision.item, item);
    QCOMPARE(journal().front().decision.content_hash, hashOf(item));
    QVERIFY(hashOf(item).starts_with("file:"));
  }

  void aDecisionIsNotLostWhenTheWindowClosesMeanwhile() {
    QTRY_VERIFY(reviewer().takesDecisions());
    const std::int64_t item = reviewer().itemAt(0);
    const std::string place = this->place();
    photographs_->allowFiles(false);
    QTest::keyClick(&page(), Qt::Key_Return);
    deliverEvents();
    QVERIFY(journal().empty());
    QVERIFY(!reviewer().takesDecisions());
    std::jthread later([this] {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      photographs_->allowFiles(true);
    });
    window_.reset();
    const auto store = LabelStore::open(place, StoreMode::kReadOnly);
    QVERIFY(store.has_value());
    const auto written = (*store)->journal();
    QVERIFY(written.has_value() && written->size() == 1);
    QCOMPARE(written->front().decision.content_hash, hashOf(item));
  }

  void anEnlargedImageHasAllItsPixelsOnceTheyAreRead() {
    QTRY_VERIFY(reviewer().takesDecisions());
    const QSize reduced = view().image().size();
    const QPointF corner(10, 10);
    view().zoomBy(6.0, corner);
    const QRectF shown = view().imageRect();
    deliverEvents();
    QCOMPARE(view().image().size(), reduced);
    photographs_->allowWhole(true);
    QTRY_COMPARE(view().image().size(), QSize(kWidth, kHeight));
    QVERIFY(std::abs(view().imageRect().left() - shown.left()) < 2.0);
    QVERIFY(std::abs(view().imageRect().width() - shown.width()) < 4.0);
    // The next image is a small one again.
    QTest::keyClick(&page(), Qt::Key_D);
    QTRY_VERIFY(reviewer().takesDecisions());
    QCOMPARE(view().image().size(), reduced);
    QCOMPARE(qGray(view().image().pixel(0, 0)), static_cast<int>(reviewer().itemAt(1) % 256));
  }

  void aPageIsShownAndAcceptedWithoutDecodingItsImagesWhole() {
    page().showMode("grid");
    QVERIFY(waitUntilAcceptable());
    const std::size_t count = tiles().tiles().size();
    QTest::keyClick(&page(), Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(journal().size(), count, 30000);
    for (const RecordedDecision& recorded : journal()) {
      QCOMPARE(recorded.decision.content_hash, hashOf(recorded.decision.item));
    }
  }

  void tilesKeepTheirSizeWhileImagesLoad() {
    photographs_->allowReduced(false);
    window_->resize(window_->minimumSizeHint().width(), 800);
    page().showMode("grid");
    QTRY_VERIFY(!tiles().tiles().empty());
    QTRY_VERIFY(part<QLabel>("reviewGridText").text().contains("loading"));
    deliverEvents();  // the layout settles
    const QRect last = tiles().tileRect(static_cast<int>(tiles().tiles().size()) - 1);
    const int capacity = tiles().capacity();
    photographs_->allowReduced(true);
    QVERIFY(waitUntilAcceptable());
    QTRY_VERIFY(!part<QLabel>("reviewGridText").text().contains("loading"));
    QCOMPARE(tiles().tileRect(static_cast<int>(tiles().tiles().size()) - 1), last);
    QCOMPARE(tiles().capacity(), capacity);
  }

 private:
  ZoomView& view() { return part<ZoomView>("reviewImage"); }
  TileGrid& tiles() { return part<TileGrid>("reviewTiles"); }
  std::string hashOf(std::int64_t item) { return itemHash(*photographs_, item).value(); }
  bool waitUntilAcceptable() {
    return QTest::qWaitFor([this] { return window_->findChild<ReviewGrid*>()->canAccept(); });
  }

  std::shared_ptr<Photographs> photographs_;
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::ReviewPhotographsTest)
#include "review_photographs_test.moc"

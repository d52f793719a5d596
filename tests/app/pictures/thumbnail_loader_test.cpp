// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pictures/thumbnail_loader.h"

#include <QSemaphore>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

#include "tests/support/gui_test.h"

namespace dubito::test {

/// The order in which pictures are decoded, and which are not.
class ThumbnailLoaderTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    decoded_.clear();
    go_.acquire(go_.available());
    loader_ = std::make_unique<ThumbnailLoader>();
  }
  void cleanup() {
    go_.release(100);
    loader_.reset();
  }

  void aPictureThatIsOnItsWayIsNotRequestedTwice() {
    loader_->load(source(), {1, 2});
    loader_->load(source(), {2, 1, 3});
    QCOMPARE(loader_->pending(), 3);
    finish();
    QCOMPARE(sorted(decoded_), (std::vector<qint64>{1, 2, 3}));
    // Delivered ones can be requested again.
    loader_->load(source(), {1});
    finish();
    QCOMPARE(decoded_.back(), 1);
  }

  void theNewestRequestComesFirst() {
    loader_->load(source(), {1, 2});  // both threads
    QTRY_COMPARE(begun(), 2);
    loader_->load(source(), {3, 4, 5});
    loader_->load(source(), {6});
    finish();
    QCOMPARE(decoded_.size(), std::size_t{6});
    const auto place = [this](qint64 key) { return std::ranges::find(decoded_, key); };
    QVERIFY(place(6) < place(4) && place(6) < place(5));
    QVERIFY(place(3) < place(5));
  }

  void requestsForOthersAreDropped() {
    loader_->load(source(), {1, 2});
    QTRY_COMPARE(begun(), 2);
    loader_->load(source(), {3, 4, 5});
    loader_->loadOnly(source(), {4, 6});
    QCOMPARE(loader_->pending(), 4);
    finish();
    QCOMPARE(sorted(decoded_), (std::vector<qint64>{1, 2, 4, 6}));
    QCOMPARE(loader_->pending(), 0);
  }

  void aRequestThatWaitsComesFirstWhenItIsNeededNow() {
    loader_->load(source(), {1, 2});
    QTRY_COMPARE(begun(), 2);
    loader_->load(source(), {3, 4, 5});
    loader_->load(source(), {6, 7});
    loader_->loadOnly(source(), {5, 4, 7});
    QCOMPARE(loader_->pending(), 5);
    finish();
    const auto place = [this](qint64 key) { return std::ranges::find(decoded_, key); };
    QCOMPARE(sorted(decoded_), (std::vector<qint64>{1, 2, 4, 5, 7}));
    QVERIFY(place(5) < place(7) && place(5) - decoded_.begin() <= 3);
  }

  void whatIsClearedIsNotDelivered() {
    QSignalSpy loaded(loader_.get(), &ThumbnailLoader::loaded);
    loader_->load(source(), {1, 2, 3});
    QTRY_COMPARE(begun(), 2);
    loader_->clear();
    QCOMPARE(loader_->pending(), 0);
    loader_->load(source(), {2});
    finish();
    QCOMPARE(loaded.count(), 1);
    QCOMPARE(loaded[0][1].toLongLong(), 2);
  }

  void largePicturesAreScaledDown() {
    const auto decode = [](qint64 key) {
      return QImage(static_cast<int>(key), 20, QImage::Format_RGB888);
    };
    const PictureSource scaled = scaledDown({nullptr, decode}, 40);
    QCOMPARE(scaled.decode(40).size(), QSize(40, 20));
    QCOMPARE(scaled.decode(80).size(), QSize(40, 10));
    QVERIFY(scaled.decode(0).isNull());
  }

 private:
  PictureSource source() {
    return {owner_, [this](qint64 key) {
              {
                const std::lock_guard lock(mutex_);
                decoded_.push_back(key);
              }
              go_.acquire();
              ++ended_;
              return QImage(1, 1, QImage::Format_RGB32);
            }};
  }
  int begun() {
    const std::lock_guard lock(mutex_);
    return static_cast<int>(decoded_.size());
  }
  void finish() {
    // One at a time, so that they are decoded in the order in which they are taken.
    while (loader_->pending() > 0) {
      const int before = ended_;
      go_.release();
      QTRY_VERIFY(ended_ > before || loader_->pending() == 0);
    }
  }
  static std::vector<qint64> sorted(std::vector<qint64> keys) {
    std::ranges::sort(keys);
    return keys;
  }

  std::shared_ptr<const void> owner_ = std::make_shared<int>(0);
  std::mutex mutex_;
  std::vector<qint64> decoded_;
  std::atomic<int> ended_ = 0;
  QSemaphore go_;
  std::unique_ptr<ThumbnailLoader> loader_;
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::ThumbnailLoaderTest)
#include "thumbnail_loader_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QTest>
#include <string>
#include <vector>

#include "app/review/review_page.h"
#include "app/shell/page_stack.h"
#include "core/labels/label_store.h"
#include "tests/app/support/test_window.h"

namespace dubito::test {

/// A window that shows the page Review and has its label stores in the folder of the test.
class ReviewWindow : protected TestWindow {
 protected:
  void openReviewFolder() {
    openFolder();
    settings_->setValue(QStringLiteral("review/folder"),
                        QString::fromStdString(dir_->file("labels")));
  }
  /// A new window over the same settings.
  void openReviewPage() {
    openWindow();
    window_->showPage(PageId::kReview);
  }

  ReviewPage& page() { return window_->pages().review(); }
  Reviewer& reviewer() { return page().reviewer(); }
  std::string place() { return reviewer().file().place().toStdString(); }
  /// The open store over another connection; null if it cannot be opened.
  std::unique_ptr<LabelStore> store() {
    auto opened = LabelStore::open(place(), StoreMode::kReadOnly);
    return opened ? std::move(*opened) : nullptr;
  }
  /// Waits until all events are handled and everything that they have started is written, so that
  /// what has not happened by then does not happen.
  [[nodiscard]] bool reviewSettles() {
    return QTest::qWaitFor(
        [this] {
          QCoreApplication::processEvents();
          return !reviewer().busy();
        },
        kPatience);
  }
  std::vector<RecordedDecision> journal() { return store()->journal().value(); }
};

}  // namespace dubito::test

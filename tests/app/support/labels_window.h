// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/pixels/image_file.h"
#include "tests/app/support/labelled_images.h"
#include "tests/app/support/review_window.h"

namespace dubito::test {

/// A window that reviews labels of another program as their annotator would.
class LabelsWindow : protected ReviewWindow {
 protected:
  void openLabelsPage() {
    openReviewFolder();
    if (!canReadPhotographs()) {
      QSKIP("this build reads no photographs");
    }
    writeImages(dir_->file("images"));
    openReviewPage();
  }

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

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QListWidget>
#include <QPushButton>

#include "app/labs/labs_page.h"
#include "app/shell/page_stack.h"
#include "tests/app/support/test_window.h"

namespace dubito::test {

/// A laboratory in the real window. QTest classes inherit from it in addition to QObject.
template <class Lab>
class LabWindow : protected TestWindow {
 protected:
  void openLaboratory(Laboratory laboratory) {
    openFolder();
    openWindow();
    // First, so that the laboratory of the first tab does not start.
    window_->pages().labs().showLaboratory(laboratory);
    window_->showPage(PageId::kLabs);
  }

  Lab& lab() { return dynamic_cast<Lab&>(window_->pages().labs().shownLaboratory()); }
  auto& runner() { return lab().runner(); }
  QPushButton& button(const char* name) { return partOf<QPushButton>(lab(), name); }

  /// Checks exactly these methods of `list`.
  void chooseMethods(const char* list, const QStringList& keys) {
    QListWidget& methods = partOf<QListWidget>(lab(), list);
    for (int row = 0; row < methods.count(); ++row) {
      QListWidgetItem& item = *methods.item(row);
      item.setCheckState(keys.contains(item.data(Qt::UserRole).toString()) ? Qt::Checked
                                                                           : Qt::Unchecked);
    }
  }
  void finish() {
    QTRY_VERIFY_WITH_TIMEOUT(runner().isFinished() && !window_->pages().labs().busy(), kPatience);
  }
};

}  // namespace dubito::test

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QRegularExpression>
#include <QString>

namespace dubito::test {

/// Number of pages of a PDF.
inline int pagesOf(const QByteArray& pdf) {
  int count = 0;
  auto pages = QRegularExpression("/Type\\s*/Page\\b(?!s)").globalMatch(QString::fromLatin1(pdf));
  for (; pages.hasNext(); pages.next()) {
    ++count;
  }
  return count;
}

}  // namespace dubito::test

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/labels/reservation_holder.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSysInfo>

namespace dubito {
namespace {

/// Whether a process with this number runs the same program; numbers are used again.
bool runsThisProgram(const QString& process) {
  const QFileInfo program(QStringLiteral("/proc/%1/exe").arg(process));
  const QFileInfo own(QStringLiteral("/proc/self/exe"));
  return program.exists() && program.symLinkTarget() == own.symLinkTarget();
}

}  // namespace

std::string reservationHolder(const QString& annotator, const void* window) {
  return QStringLiteral("%1@%2:%3:%4")
      .arg(annotator, QSysInfo::machineHostName())
      .arg(QCoreApplication::applicationPid())
      .arg(reinterpret_cast<quintptr>(window), 0, 16)
      .toStdString();
}

QString personOf(const std::string& holder) {
  const QString text = QString::fromStdString(holder);
  return text.left(text.lastIndexOf(u'@'));
}

bool isLeftOver(const std::string& holder) {
  static const QRegularExpression form(QStringLiteral("@([^@]*):([0-9]+):[0-9a-f]+$"));
  const auto match = form.match(QString::fromStdString(holder));
  return match.hasMatch() && match.captured(1) == QSysInfo::machineHostName() &&
         QFileInfo::exists(QStringLiteral("/proc/self/exe")) && !runsThisProgram(match.captured(2));
}

}  // namespace dubito

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/lab_topic.h"

namespace dubito {
namespace {

QString topicPrefix() {
  return QStringLiteral("lab-");
}

}  // namespace

QString laboratoryTopic(const LaboratoryInfo& laboratory) {
  return topicPrefix() + QLatin1String(laboratory.key);
}

const LaboratoryInfo* laboratoryOfTopic(const QString& topic) {
  const QString prefix = topicPrefix();
  return topic.startsWith(prefix) ? findLaboratory(topic.mid(prefix.size()).toStdString())
                                  : nullptr;
}

}  // namespace dubito

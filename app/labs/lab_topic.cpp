// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/lab_topic.h"

namespace dubito {
namespace {

constexpr const char* kPrefix = "lab-";

}  // namespace

QString laboratoryTopic(const LaboratoryInfo& laboratory) {
  return QLatin1String(kPrefix) + QLatin1String(laboratory.key);
}

const LaboratoryInfo* laboratoryOfTopic(const QString& topic) {
  const QString prefix = QLatin1String(kPrefix);
  return topic.startsWith(prefix) ? findLaboratory(topic.mid(prefix.size()).toStdString())
                                  : nullptr;
}

}  // namespace dubito

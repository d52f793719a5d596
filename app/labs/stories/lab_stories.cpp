// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/stories/lab_stories.h"

#include <QFile>
#include <QtGlobal>

// Must be called outside any namespace; without it the linker drops the resources of a static
// library.
static void loadStories() {
  Q_INIT_RESOURCE(stories);
}

namespace dubito {

const std::vector<ShippedStory>& shippedStories() {
  static const std::vector<ShippedStory> all{
      {"dropout", QT_TRANSLATE_NOOP("Labs", "Dropout and its critics")},
      {"hmc", QT_TRANSLATE_NOOP("Labs", "Why HMC fails, and how one sees it")},
      {"bridge", QT_TRANSLATE_NOOP("Labs", "What the Laplace bridge keeps")}};
  return all;
}

Expected<LabStory> storyOf(const ShippedStory& shipped) {
  loadStories();
  const QString name = QStringLiteral(":/dubito/stories/%1.json").arg(QLatin1String(shipped.key));
  QFile file(name);
  if (!file.open(QIODevice::ReadOnly)) {
    return fail(ErrorCode::kNotFound,
                name.toStdString() + ": is missing in the program; install it again");
  }
  return parseLabStory(file.readAll().toStdString(), name.toStdString());
}

}  // namespace dubito

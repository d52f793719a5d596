// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iterator>

#include "app/report/report_content.h"
#include "app/words/run_texts.h"
#include "app/words/words.h"
#include "core/data/items/dataset.h"
#include "widgets/tr.h"

namespace dubito {
namespace {

using Settings = std::vector<std::pair<QString, QString>>;

}  // namespace

Settings reportSettings(const Analysis& analysis) {
  Settings settings;
  const auto add = [&settings](const QString& name, const QString& value) {
    if (!value.isEmpty()) {
      settings.emplace_back(name, value);
    }
  };
  const RunMeta& meta = analysis.in().run->meta;
  add(tr("Model"), QString::fromStdString(meta.model_name));
  for (const AnalysisPart& part : analysis.parts) {
    const Run& run = *part.run;
    const bool is_ood = &part != &analysis.in() || run.meta.role == toString(Role::kOod);
    const QString role =
        is_ood ? groupName(ItemGroup::kOod) : QString::fromStdString(run.meta.role);
    add(&part == &analysis.in() ? tr("Dataset") : tr("OOD dataset"),
        tr("%1, %2%3")
            .arg(QString::fromStdString(part.name),
                 countedText(run.itemCount(), tr("%1 item"), tr("%1 items")),
                 role.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(role)));
  }
  add(tr("Labels"), labelsText(analysis));
  add(tr("Method"), QString::fromStdString(analysis.name));
  std::ranges::move(methodSettings(meta), std::back_inserter(settings));
  add(tr("Seed"), QString::number(meta.seed));
  add(tr("Input"), QString::fromStdString(meta.preprocessing));
  QString device = QString::fromStdString(meta.device);
  if (!device.isEmpty() && meta.batch > 0) {
    device += countedText(meta.batch, tr(", %1 item per batch"), tr(", %1 items per batch"));
  }
  add(tr("Device"), device);
  QStringList versions;
  for (const auto& [name, version] : meta.versions) {
    versions << QStringLiteral("%1 %2").arg(QString::fromStdString(name),
                                            QString::fromStdString(version));
  }
  add(tr("Versions"), versions.join(QStringLiteral(", ")));
  add(tr("Network hash"), QString::fromStdString(meta.network_hash));
  add(tr("Dataset hash"), QString::fromStdString(meta.dataset_hash));
  return settings;
}

}  // namespace dubito

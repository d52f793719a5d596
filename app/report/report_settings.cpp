// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/panels/words.h"
#include "app/report/report_content.h"
#include "app/session/window_words.h"
#include "core/inference/predict.h"
#include "widgets/plot_table.h"

namespace dubito {
namespace {

using Settings = std::vector<std::pair<QString, QString>>;

QString tr(const char* text) {
  return QCoreApplication::translate("report", text);
}

/// "weight_draws" as "Weight draws".
QString inWords(const std::string& key) {
  QString text = QString::fromStdString(key).replace(u'_', u' ');
  if (!text.isEmpty()) {
    text[0] = text[0].toUpper();
  }
  return text;
}

QString inWords(const nlohmann::json& value) {
  if (value.is_null()) {
    return tr("automatic");
  }
  if (value.is_boolean()) {
    return value.get<bool>() ? tr("yes") : tr("no");
  }
  if (value.is_number_integer()) {
    return countText(value.get<std::int64_t>());
  }
  if (value.is_number()) {
    return shortText(value.get<double>(), 4);
  }
  if (value.is_string()) {
    return QString::fromStdString(value.get<std::string>());
  }
  constexpr std::size_t kMaxEntries = 12;
  QStringList parts;
  for (const auto& item : value.items()) {
    if (static_cast<std::size_t>(parts.size()) == kMaxEntries) {
      parts << tr("%1 more").arg(value.size() - kMaxEntries);
      break;
    }
    parts << (value.is_object() ? inWords(item.key()).toLower() + u' ' + inWords(item.value())
                                : inWords(item.value()));
  }
  return parts.isEmpty() ? tr("all") : parts.join(QStringLiteral(", "));
}

void addMethod(const RunMeta& meta, Settings& settings) {
  std::vector<Field> fields;
  MethodOptions defaults;
  for (const MethodDescription& method : allMethods()) {
    if (method.name == meta.method) {
      defaults = method.defaults;
      fields = methodFields(defaults);
    }
  }
  const auto options = nlohmann::json::parse(meta.method_options, nullptr, false);
  if (!options.is_object()) {
    return;
  }
  // First the options in the order of the form, then what only this run knows of itself.
  const auto add = [&](const QString& label, const std::string& unit, const std::string& key) {
    const QString text = inWords(options[key]);
    settings.emplace_back(label, unit.empty() ? text : text + u' ' + QString::fromStdString(unit));
  };
  for (const Field& field : fields) {
    if (options.contains(field.info.name)) {
      add(QString::fromStdString(field.info.label), field.info.unit, field.info.name);
    }
  }
  for (const auto& item : options.items()) {
    if (std::ranges::none_of(fields,
                             [&](const Field& field) { return field.info.name == item.key(); })) {
      add(inWords(item.key()), {}, item.key());
    }
  }
}

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
    const QString role = &part == &analysis.in() ? QString::fromStdString(run.meta.role)
                                                 : QString::fromStdString("OOD");
    add(&part == &analysis.in() ? tr("Dataset") : tr("OOD dataset"),
        tr("%1, %2 items%3")
            .arg(QString::fromStdString(part.name), countText(run.itemCount()),
                 role.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(role)));
  }
  add(tr("Method"), QString::fromStdString(analysis.name));
  addMethod(meta, settings);
  add(tr("Seed"), QString::number(meta.seed));
  add(tr("Input"), QString::fromStdString(meta.preprocessing));
  QString device = QString::fromStdString(meta.device);
  if (!device.isEmpty() && meta.batch > 0) {
    device += tr(", %1 items per batch").arg(countText(meta.batch));
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

QStringList reportNotes(const Analysis& analysis) {
  QStringList notes;
  for (const AnalysisPart& part : analysis.parts) {
    const RunMeta& meta = part.run->meta;
    const auto add = [&](const QString& note) {
      const QString of_part = analysis.parts.size() > 1
                                  ? QString::fromStdString(part.name) + QStringLiteral(": ") + note
                                  : note;
      notes << of_part;
    };
    for (const std::string& note : meta.notes) {
      add(QString::fromStdString(inWindowWords(note)));
    }
    if (meta.stopped_early) {
      add(tr("stopped early: fewer items or draws than were asked for"));
    }
    if (!meta.skipped.empty()) {
      constexpr std::size_t kMaxNamed = 5;
      QStringList named;
      for (std::size_t i = 0; i < std::min(kMaxNamed, meta.skipped.size()); ++i) {
        named << QStringLiteral("%1 (%2)").arg(QString::fromStdString(meta.skipped[i].name),
                                               QString::fromStdString(meta.skipped[i].reason));
      }
      if (meta.skipped.size() > kMaxNamed) {
        named << tr("%1 more").arg(meta.skipped.size() - kMaxNamed);
      }
      add(tr("%1 items skipped: %2")
              .arg(countText(static_cast<std::int64_t>(meta.skipped.size())),
                   named.join(QStringLiteral(", "))));
    }
  }
  return notes;
}

}  // namespace dubito

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/words/run_texts.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "app/session/error_text.h"
#include "core/analysis/run_notes.h"
#include "core/base/choice_label.h"
#include "core/predict/predict.h"
#include "widgets/number_text.h"
#include "widgets/plot_table.h"
#include "widgets/tr.h"

namespace dubito {
namespace {

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
      parts << tr("%1 more").arg(countText(static_cast<std::int64_t>(value.size() - kMaxEntries)));
      break;
    }
    parts << (value.is_object() ? inWords(item.key()).toLower() + u' ' + inWords(item.value())
                                : inWords(item.value()));
  }
  return parts.isEmpty() ? tr("all") : parts.join(QStringLiteral(", "));
}

QStringList warningsOfPart(const AnalysisPart& part) {
  const RunMeta& meta = part.run->meta;
  QStringList warnings;
  const NotesPtr notes = keptNotesOfRun(part.run);
  for (const Note& note : *notes) {
    warnings << noteText(note);
  }
  if (meta.stopped_early) {
    warnings << tr("stopped early: fewer items or draws than requested");
  }
  if (!meta.skipped.empty()) {
    constexpr std::size_t kMaxNamed = 5;
    QStringList named;
    for (std::size_t i = 0; i < std::min(kMaxNamed, meta.skipped.size()); ++i) {
      named << QStringLiteral("%1 (%2)").arg(QString::fromStdString(meta.skipped[i].name),
                                             QString::fromStdString(meta.skipped[i].reason));
    }
    if (meta.skipped.size() > kMaxNamed) {
      named << tr("%1 more").arg(
          countText(static_cast<std::int64_t>(meta.skipped.size() - kMaxNamed)));
    }
    warnings << tr("items skipped (%1): %2")
                    .arg(countText(static_cast<std::int64_t>(meta.skipped.size())),
                         named.join(QStringLiteral(", ")));
  }
  warnings.removeDuplicates();
  return warnings;
}

/// "Laplace, last layer: structure Kronecker, prior by evidence": the run that was adjusted, of the
/// member `of` of its options.
QString originText(const nlohmann::json& of) {
  RunMeta meta;
  meta.method = of.value("method", std::string());
  meta.method_options = of.value("options", nlohmann::json::object()).dump();
  const auto method = methodFromName(meta.method);
  QStringList parts;
  for (const auto& [name, value] : methodSettings(meta)) {
    parts << name.toLower() + u' ' + value;
  }
  const QString label = QString::fromStdString(method ? describe(*method).label : meta.method);
  return parts.isEmpty() ? label
                         : QStringLiteral("%1: %2").arg(label, parts.join(QStringLiteral(", ")));
}

}  // namespace

std::vector<std::pair<QString, QString>> methodSettings(const RunMeta& meta) {
  std::vector<std::pair<QString, QString>> settings;
  std::vector<Field> fields;
  MethodOptions defaults;
  if (const auto method = methodFromName(meta.method)) {
    defaults = *method;
    fields = methodFields(defaults);
  }
  const auto options = nlohmann::json::parse(meta.method_options, nullptr, false);
  if (!options.is_object()) {
    return settings;
  }
  // Options in the order of the form, then values specific to this run.
  const auto add = [&settings](const QString& label, const std::string& unit, const QString& text) {
    settings.emplace_back(label, unit.empty() ? text : text + u' ' + QString::fromStdString(unit));
  };
  for (const Field& field : fields) {
    if (const auto value = options.find(field.info.name); value != options.end()) {
      add(QString::fromStdString(field.info.label), field.info.unit,
          value->is_string()
              ? QString::fromStdString(choiceLabel(field.info, value->get<std::string>()))
              : inWords(*value));
    }
  }
  for (const auto& item : options.items()) {
    if (std::ranges::none_of(fields,
                             [&](const Field& field) { return field.info.name == item.key(); })) {
      if (item.key() == "of" && item.value().is_object()) {
        add(tr("Adjusted run"), {}, originText(item.value()));
        continue;
      }
      add(inWords(item.key()), {}, inWords(item.value()));
    }
  }
  return settings;
}

QStringList runWarnings(const Analysis& analysis) {
  std::vector<QStringList> of_parts;
  std::map<QString, std::size_t> parts_saying;
  for (const AnalysisPart& part : analysis.parts) {
    for (const QString& warning : of_parts.emplace_back(warningsOfPart(part))) {
      ++parts_saying[warning];
    }
  }
  QStringList warnings;
  for (std::size_t i = 0; i < of_parts.size(); ++i) {
    for (const QString& warning : of_parts[i]) {
      warnings << (parts_saying[warning] == of_parts.size()
                       ? warning
                       : QString::fromStdString(analysis.parts[i].name) + QStringLiteral(": ") +
                             warning);
    }
  }
  warnings.removeDuplicates();
  return warnings;
}

}  // namespace dubito

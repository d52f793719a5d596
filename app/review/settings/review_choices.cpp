// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/settings/review_choices.h"

#include <QSettings>
#include <algorithm>

#include "core/base/splitmix64.h"

namespace dubito {
namespace {

/// Keeps the share independent of the random queue, which hashes the ids, too.
constexpr std::uint64_t kShareKey = 0x626C696E64ULL;

const QString& annotatorSetting() {
  static const QString name = QStringLiteral("review/annotator");
  return name;
}
const QString& shareSetting() {
  static const QString name = QStringLiteral("review/hiddenShare");
  return name;
}
const QString& orderSetting() {
  static const QString name = QStringLiteral("review/likeliestFirst");
  return name;
}

const QString& undecidedSetting() {
  static const QString name = QStringLiteral("review/undecided");
  return name;
}
const QString& suggestionSetting() {
  static const QString name = QStringLiteral("review/suggestionAtLeast");
  return name;
}
const QString& shapesSetting() {
  static const QString name = QStringLiteral("review/keepsShapes");
  return name;
}

}  // namespace

bool isInHiddenShare(std::int64_t item, double share) {
  const std::uint64_t bits =
      splitmix64(splitmix64(kShareKey) ^ splitmix64(static_cast<std::uint64_t>(item)));
  return static_cast<double>(bits >> 11) * 0x1.0p-53 < share;
}

ReviewChoices::ReviewChoices(QSettings& settings, QObject* parent)
    : QObject(parent),
      settings_(settings),
      hidden_share_(std::clamp(settings.value(shareSetting(), 0.0).toDouble(), 0.0, 1.0)) {}

QString ReviewChoices::annotator() const {
  const QString name = settings_.value(annotatorSetting()).toString().trimmed();
  return name.isEmpty() ? qEnvironmentVariable("USER", tr("me")) : name;
}

void ReviewChoices::setAnnotator(const QString& name) {
  const QString before = annotator();
  settings_.setValue(annotatorSetting(), name.trimmed());
  if (annotator() != before) {
    Q_EMIT annotatorChanged(annotator());
  }
}

void ReviewChoices::setHiddenShare(double share) {
  hidden_share_ = std::clamp(share, 0.0, 1.0);
  settings_.setValue(shareSetting(), hidden_share_);
  Q_EMIT changed();
}

bool ReviewChoices::likeliestFirst() const {
  return settings_.value(orderSetting(), true).toBool();
}

void ReviewChoices::setLikeliestFirst(bool likeliest_first) {
  settings_.setValue(orderSetting(), likeliest_first);
  Q_EMIT changed();
}

ExportChoices ReviewChoices::exports() const {
  const ExportChoices usual;
  const std::string undecided = settings_.value(undecidedSetting()).toString().toStdString();
  return {.undecided = undecidedOfKey(undecided).value_or(usual.undecided),
          .min_probability = std::clamp(
              settings_.value(suggestionSetting(), usual.min_probability).toDouble(), 0.0, 1.0),
          .keeps_shapes = settings_.value(shapesSetting(), usual.keeps_shapes).toBool()};
}

void ReviewChoices::setExports(const ExportChoices& choices) {
  settings_.setValue(undecidedSetting(),
                     QString::fromStdString(std::string(keyOf(choices.undecided))));
  settings_.setValue(suggestionSetting(), choices.min_probability);
  settings_.setValue(shapesSetting(), choices.keeps_shapes);
}

}  // namespace dubito

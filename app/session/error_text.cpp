// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/error_text.h"

#include <QRegularExpression>
#include <QStringList>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/session/dataset_edit.h"
#include "core/attribution/attribution_options.h"
#include "core/base/choice_label.h"
#include "core/base/grouped_digits.h"
#include "core/context/context_options.h"
#include "core/labs/bandit/bandit_lab.h"
#include "core/labs/dropout_rate/rate_options.h"
#include "core/labs/gaussian/gp_fit.h"
#include "core/labs/referral/referral_lab.h"
#include "core/labs/regression/regression_lab.h"
#include "core/labs/regression/regression_methods.h"
#include "core/labs/rotation/rotation_lab.h"
#include "core/labs/sampling/sampler_lab.h"
#include "core/labs/simplex/gaussian_choice.h"
#include "core/labs/simplex/sample_worth.h"
#include "core/labs/simplex/simplex_lab.h"
#include "core/metrics/evaluation.h"
#include "core/predict/predict.h"
#include "core/train/head/head_options.h"
#include "core/train/train.h"
#include "widgets/tr.h"

namespace dubito {
namespace {

/// Fields by name: of requests, which are not fields of an options struct, and of all options
/// structs that the window has forms for. Earlier ones win.
const std::map<std::string, FieldInfo>& knownFields() {
  static const std::map<std::string, FieldInfo> known = [] {
    constexpr std::pair<const char*, const char*> kOfRequests[] = {
        {"fit", "Fitted on"},
        {"calibration", "Calibrated on"},
        {"member", "Ensemble of runs"},
        {"metadata", "Preprocessing"},
        {"device", "Device"},
        {"threads", "Threads"},
        {"posterior", "Posterior"},
        {"memory", "Memory"},
        {"seed", "Seed"},
        {"method", "Method"},
        {"resume", "Compute again"},
        {"restart", "Start over"},
        {"score", "Score"},
        {"source", "Source"},
        {"class", "Class"},
        {"draw", "Draw"},
        {"mutual_information", "Mutual information"},
    };
    std::map<std::string, FieldInfo> found;
    for (const auto& [name, label] : kOfRequests) {
      found.emplace(name, FieldInfo{.name = name, .label = label, .help = {}});
    }
    const auto add = [&found](const std::vector<Field>& fields) {
      for (const Field& field : fields) {
        found.emplace(field.info.name, field.info);
      }
    };
    for (MethodDescription method : allMethods()) {
      add(methodFields(method.defaults));
    }
    add(PredictOptions().fields());
    add(EvaluationOptions().fields());
    for (const RegressionMethodInfo& method : regressionMethods()) {
      add(method.make()->fields());
    }
    add(RegressionLabOptions().fields());
    add(GaussianChoice().fields());
    add(SimplexOptions().fields());
    add(SampleWorthOptions().fields());
    add(ReferralOptions().fields());
    add(RotationOptions().fields());
    add(GpFitOptions().fields());
    add(SamplerLabOptions().fields());
    add(BanditLabOptions().fields());
    add(DropoutRateOptions().fields());
    add(TrainOptions().fields());
    add(HeadOptions().fields());
    add(ContextOptions().fields());
    add(AttributionOptions().fields());
    return found;
  }();
  return known;
}

/// What the window calls the value of a setting.
QString valueText(const Setting& setting) {
  if (setting.place == Setting::Place::kOption) {
    const auto field = knownFields().find(setting.name);
    return QString::fromStdString(
        field == knownFields().end() ? setting.value : choiceLabel(field->second, setting.value));
  }
  if (setting.place == Setting::Place::kDataset) {
    DatasetEdit edit;
    for (const Field& field : edit.fields()) {
      if (field.info.name == setting.name) {
        return QString::fromStdString(choiceLabel(field.info, setting.value));
      }
    }
  }
  return QString::fromStdString(setting.value);
}

/// What the window calls a setting, without its value.
QString labelOf(const Setting& setting) {
  const QString name = QString::fromStdString(setting.name);
  switch (setting.place) {
    case Setting::Place::kOption:
      return optionLabel(name);
    case Setting::Place::kDataset:
      return setting.name == "role"      ? tr("Role")
             : setting.name == "items"   ? tr("Items")
             : setting.name == "classes" ? tr("Classes")
                                         : name;
    case Setting::Place::kMetadata:
      return setting.name == "output_key" ? tr("Class scores") : tr("Preprocessing");
    case Setting::Place::kWords:
      break;
  }
  return {};
}

/// A setting with its value; empty if the window has no form for it.
QString settingText(const Setting& setting) {
  const QString value = valueText(setting);
  if (setting.place == Setting::Place::kWords) {
    return value;
  }
  const QString label = labelOf(setting);
  if (label.isEmpty()) {
    return {};
  }
  if (setting.omitted) {
    return tr("no %1").arg(label);
  }
  return value.isEmpty() ? label : tr("%1: %2").arg(label, value);
}

/// A text of the core in the signs of the window: counts with grouped digits, arrows, "OOD".
QString inWindowSigns(QString text) {
  static const QRegularExpression kCount(QStringLiteral(
      "(?<![\\w.,:/=\\-])(\\d{4,18})(?= (?:of|items?|images?|rows?|columns?|class|classes|labels?|"
      "draws?|files?|values?|numbers?|pixels?|parameters?|weights?|features?|epochs?|samples?|"
      "steps?|"
      "points?|scenes?|batches)\\b)"));
  for (QRegularExpressionMatch match = kCount.match(text); match.hasMatch();
       match = kCount.match(text, match.capturedStart())) {
    text.replace(match.capturedStart(1), match.capturedLength(1),
                 QString::fromStdString(groupedDigits(match.captured(1).toLongLong())));
  }
  return text.replace(QLatin1String(" -> "), QStringLiteral(" → "))
      .replace(QLatin1String("the role ood"), tr("the role OOD"));
}

}  // namespace

QString optionLabel(const QString& name) {
  const auto found = knownFields().find(name.toStdString());
  return found == knownFields().end() ? QString() : QString::fromStdString(found->second.label);
}

QString errorText(const Error& error) {
  const QString message = inWindowSigns(QString::fromStdString(error.message));
  QStringList texts;
  for (const Setting& setting : error.remedy.settings) {
    const QString text = settingText(setting);
    const bool is_known = setting.value.empty() && !setting.omitted &&
                          message.contains(labelOf(setting), Qt::CaseInsensitive);
    if (!text.isEmpty() && !is_known) {
      texts << text;
    }
  }
  texts.removeDuplicates();  // several keys of the metadata have one label
  return texts.isEmpty() ? message : tr("%1 (%2)").arg(message, texts.join(QStringLiteral(", ")));
}

QString noteText(const Note& note) {
  const bool has_button = note.kind == NoteKind::kGuessedPreprocessing && !note.remedy.empty();
  const std::string remedy =
      has_button ? tr("set the correct values with Edit preprocessing…").toStdString()
                 : note.remedy;
  return inWindowSigns(QString::fromStdString(toText(note, remedy)));
}

QString metadataSourceText(const ModelMetadata& metadata) {
  return metadata.source == ModelMetadata().source ? tr("nothing given, guessed")
                                                   : QString::fromStdString(metadata.source);
}

QString requirementText(const Requirement& requirement) {
  QStringList texts;
  for (const Setting& setting : requirement.settings) {
    texts << settingText(setting);
  }
  return texts.join(requirement.one_is_enough ? tr(" or ") : tr(" and "));
}

}  // namespace dubito

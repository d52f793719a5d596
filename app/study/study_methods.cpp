// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/study/study_methods.h"

#include <QVBoxLayout>
#include <optional>

#include "app/compute/unmet_options.h"
#include "app/study/study_option_fields.h"
#include "widgets/options_form.h"

namespace dubito {
namespace {

/// The usual options of the method that a member names.
std::optional<MethodOptions> methodOf(const StudyJson& member) {
  const auto found = methodFromName(textAt(member, "method").toStdString());
  return found ? std::optional(*found) : std::nullopt;
}

}  // namespace

StudyMethods::StudyMethods(const StudyDraft& draft, QWidget* parent)
    : StudyList(draft, "/methods", "studyMethods", parent), form_(new OptionsForm(this)) {
  fields().addText({tr("Name"), "studyMethodName", "/name", StudyFieldKind::kText,
                    tr("Name in tables and figures")});
  std::vector<std::pair<std::string, QString>> methods;
  for (const MethodDescription& method : allMethods()) {
    methods.emplace_back(method.name, QString::fromStdString(method.label));
  }
  fields().addChoice(tr("Method"), "studyMethodKind", "/method", tr("How it predicts"), methods,
                     /*is_required=*/true);
  fields().addText({tr("Networks"), "studyMethodNetworks", "/network", StudyFieldKind::kTexts,
                    tr("One, several separated by commas, or all")});
  fields().addChoice(tr("Fitted on"), "studyMethodFit", "/fit_on",
                     tr("Labelled items for temperatures and grids"),
                     {{"source", tr("validation items (source)")},
                      {"adaptation", tr("adaptation items (target)")}});
  fields().addText({tr("Members"), "studyMethodMembers", "/members", StudyFieldKind::kNumber,
                    tr("Averages the networks of that many seeds"), QStringLiteral("1")});
  fields().addText({tr("Grid"), "studyMethodGrid", "/grid", StudyFieldKind::kJson,
                    tr("Options and the values to try, for example {\"tau\": [1, 10]}"),
                    tr("none")});
  fields().addChoice(
      tr("Chosen by"), "studyMethodSelect", "/select",
      tr("What chooses among the values of the grid"),
      {{"nll", tr("NLL of labelled items")}, {"evidence", tr("evidence (Laplace)")}});
  disconnect(&fields(), &StudyFields::edited, this, nullptr);
  connect(&fields(), &StudyFields::edited, this,
          [this](const StudyJson::json_pointer& place, const StudyJson& value) {
            if (place.back() == "method") {
              chooseMethod(value);
            } else {
              Q_EMIT edited(place, value);
            }
          });
  form_->setObjectName(QStringLiteral("studyMethodForm"));
  rows().addWidget(form_);
  connect(form_, &OptionsForm::edited, this, &StudyMethods::storeForm);
}

StudyMethods::~StudyMethods() {
  form_->clearFields();
}

QString StudyMethods::summaryOf(const StudyJson& member) const {
  return QStringLiteral("%1 · %2 · %3")
      .arg(textAt(member, "name"), textAt(member, "method"), textAt(member, "network"));
}

StudyJson StudyMethods::freshMember() const {
  return {{"name", freshName("method")}, {"network", "all"}, {"method", "map"}};
}

void StudyMethods::showMember() {
  const StudyJson* const member = currentMember();
  std::optional<MethodOptions> usual = member == nullptr ? std::nullopt : methodOf(*member);
  form_->setVisible(usual.has_value());
  if (!usual) {
    form_->clearFields();
    has_fields_ = false;
    return;
  }
  MethodOptions options = *usual;
  if (const auto given = member->find("options"); given != member->end()) {
    loadOptions(*given, methodFields(options));
  }
  const bool is_same_method = has_fields_ && methodName(options) == methodName(shown_);
  if (is_same_method && fieldsToJson(methodFields(options)) == fieldsToJson(methodFields(shown_))) {
    return;  // what is being typed stays
  }
  if (!is_same_method) {
    form_->clearFields();
  }
  // The fields of the same method stay in place.
  usual_ = *usual;
  if (is_same_method) {
    loadOptions(StudyJson(fieldsToJson(methodFields(options))), methodFields(shown_));
    form_->reload();
  } else {
    shown_ = options;
    form_->setFields(methodFields(shown_));
    has_fields_ = true;
  }
  showUnmetOptions(methodFields(shown_), *form_);
}

void StudyMethods::chooseMethod(const StudyJson& method) {
  const StudyJson* const member = currentMember();
  if (member == nullptr) {
    return;
  }
  StudyJson changed = *member;
  changed["method"] = method;
  const std::optional<MethodOptions> usual = methodOf(changed);
  if (usual && changed.contains("options")) {
    MethodOptions known = *usual;
    StudyJson kept = StudyJson::object();
    for (const Field& field : methodFields(known)) {
      if (const auto old = changed["options"].find(field.info.name);
          old != changed["options"].end()) {
        kept[field.info.name] = *old;
      }
    }
    changed.erase("options");
    if (!kept.empty()) {
      changed["options"] = kept;
    }
  }
  Q_EMIT edited(currentPlace(), changed);
}

void StudyMethods::storeForm() {
  const StudyJson* const member = currentMember();
  if (member == nullptr || !has_fields_) {
    return;
  }
  const auto given = member->find("options");
  const StudyJson before = given == member->end() ? StudyJson::object() : *given;
  const StudyJson options = storedOptions(before, methodFields(shown_), methodFields(usual_));
  Q_EMIT edited(currentPlace() / "options", options.empty() ? StudyJson(nullptr) : options);
  showUnmetOptions(methodFields(shown_), *form_);
}

}  // namespace dubito

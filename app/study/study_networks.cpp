// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/study/study_networks.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <array>

#include "app/compute/unmet_options.h"
#include "app/study/study_offers.h"
#include "app/study/study_option_fields.h"
#include "widgets/options_form.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

/// Characters of an origin that are always seen.
constexpr int kShortOrigin = 16;

constexpr std::array kHows{"train", "head", "model"};

std::string howOf(const StudyJson& network) {
  for (const char* const how : kHows) {
    if (network.contains(how)) {
      return how;
    }
  }
  return {};
}

}  // namespace

StudyNetworks::StudyNetworks(const StudyDraft& draft, const Session& session, QWidget* parent)
    : StudyList(draft, "/networks", "studyNetworks", parent),
      how_(new QComboBox(this)),
      backbone_(new StudyFields(draft, this)),
      model_(new StudyFields(draft, this)),
      form_(new OptionsForm(this)) {
  fields().addText({tr("Name"), "studyNetworkName", "/name", StudyFieldKind::kText,
                    tr("Name in tables and figures")});
  auto* const row = new QHBoxLayout;
  row->setSpacing(4 * kGrid);
  auto* const label = new QLabel(tr("Origin"), this);
  label->setMinimumWidth(kFormLabelWidth);
  how_->setObjectName(QStringLiteral("studyNetworkHow"));
  how_->setAccessibleName(tr("Where the network comes from"));
  how_->addItem(tr("trained for each seed"), QStringLiteral("train"));
  how_->addItem(tr("new head on a backbone"), QStringLiteral("head"));
  how_->addItem(tr("model file, the same for all seeds"), QStringLiteral("model"));
  // The longest origin need not fit into a narrow window; the list shows it.
  how_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  how_->setMinimumContentsLength(kShortOrigin);
  row->addWidget(label);
  row->addWidget(how_, 1);
  rows().addLayout(row);
  backbone_->addText({tr("Backbone"), "studyBackbone", "/head/backbone", StudyFieldKind::kText,
                      tr("Network whose last layer is replaced")},
                     modelOffers(session));
  model_->addText(
      {tr("Model"), "studyModel", "/model", StudyFieldKind::kText, tr("File of a network")},
      modelOffers(session));
  form_->setObjectName(QStringLiteral("studyNetworkForm"));
  rows().addWidget(backbone_);
  rows().addWidget(model_);
  rows().addWidget(form_);
  connect(how_, &QComboBox::activated, this,
          [this](int index) { chooseHow(how_->itemData(index).toString().toStdString()); });
  connect(backbone_, &StudyFields::edited, this, &StudyList::edited);
  connect(model_, &StudyFields::edited, this, &StudyList::edited);
  connect(form_, &OptionsForm::edited, this, &StudyNetworks::storeForm);
}

StudyNetworks::~StudyNetworks() {
  form_->clearFields();
}

QString StudyNetworks::summaryOf(const StudyJson& member) const {
  const std::string how = howOf(member);
  QString detail = tr("incomplete");
  if (how == "train") {
    const auto architecture = member["train"].find("architecture");
    detail = member["train"].is_object() && architecture != member["train"].end()
                 ? textOfValue(&*architecture, StudyFieldKind::kText)
                 : QString::fromStdString(usual_train_.architecture);
  } else if (how == "head") {
    const StudyJson& head = member["head"];
    detail = tr("head on %1")
                 .arg(head.is_object() && head.contains("backbone")
                          ? textOfValue(&head["backbone"], StudyFieldKind::kText)
                          : tr("?"));
  } else if (how == "model") {
    detail = textOfValue(&member["model"], StudyFieldKind::kText);
  }
  return QStringLiteral("%1 · %2").arg(textAt(member, "name"), detail);
}

StudyJson StudyNetworks::freshMember() const {
  return {{"name", freshName("network")}, {"train", {{"architecture", "lenet"}}}};
}

std::vector<Field> StudyNetworks::formFields() {
  return shown_how_ == "train" ? train_.fields() : head_.fields();
}

std::vector<Field> StudyNetworks::defaultFields() {
  return shown_how_ == "train" ? usual_train_.fields() : usual_head_.fields();
}

void StudyNetworks::showMember() {
  const StudyJson* const network = currentMember();
  const std::string how = network == nullptr ? std::string() : howOf(*network);
  how_->setEnabled(network != nullptr);
  const QSignalBlocker quiet(how_);
  how_->setCurrentIndex(how_->findData(QString::fromStdString(how)));
  backbone_->setVisible(how == "head");
  model_->setVisible(how == "model");
  backbone_->setBase(currentPlace());
  model_->setBase(currentPlace());
  const bool has_form = how == "train" || how == "head";
  form_->setVisible(has_form);
  if (!has_form) {
    form_->clearFields();
    shown_how_.clear();
    return;
  }
  TrainOptions train;
  HeadOptions head;
  loadOptions(how == "train" ? (*network)["train"] : (*network)["head"],
              how == "train" ? train.fields() : head.fields());
  const bool is_same = how == shown_how_ &&
                       fieldsToJson(train.fields()) == fieldsToJson(train_.fields()) &&
                       fieldsToJson(head.fields()) == fieldsToJson(head_.fields());
  if (is_same) {
    return;  // what is being typed stays
  }
  if (how != shown_how_) {
    form_->clearFields();
  }
  train_ = train;
  head_ = head;
  if (how != shown_how_) {
    shown_how_ = how;
    form_->setFields(formFields());
  } else {
    form_->reload();
  }
  showUnmetOptions(formFields(), *form_);
}

void StudyNetworks::chooseHow(const std::string& how) {
  const StudyJson* const network = currentMember();
  if (network == nullptr || howOf(*network) == how) {
    return;
  }
  StudyJson changed = *network;
  for (const char* const other : kHows) {
    changed.erase(other);
  }
  changed[how] = how == "train"  ? StudyJson{{"architecture", "lenet"}}
                 : how == "head" ? StudyJson{{"backbone", ""}}
                                 : StudyJson("");
  Q_EMIT edited(currentPlace(), changed);
}

void StudyNetworks::storeForm() {
  const StudyJson* const network = currentMember();
  if (network == nullptr || shown_how_.empty() || howOf(*network) != shown_how_) {
    return;
  }
  StudyJson options = storedOptions((*network)[shown_how_], formFields(), defaultFields());
  const StudyJson::json_pointer place = currentPlace() / shown_how_;
  Q_EMIT edited(place, options);
  showUnmetOptions(formFields(), *form_);
}

}  // namespace dubito

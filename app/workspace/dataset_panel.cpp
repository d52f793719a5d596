// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspace/dataset_panel.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/session/error_text.h"
#include "app/words/words.h"
#include "widgets/muted_label.h"
#include "widgets/options_form.h"

namespace dubito {
DatasetPanel::DatasetPanel(Session& session, FileOpener& opener, QWidget* parent)
    : SetupPanel("datasetPanel", tr("Dataset"), parent), opener_(opener), session_(session) {
  setObjectName(QStringLiteral("datasetPanel"));
  QVBoxLayout* const inner = contentLayout();
  QWidget* const content = inner->parentWidget();
  form_ = new OptionsForm(content);
  form_->setObjectName(QStringLiteral("datasetForm"));
  auto* const specification_title =
      makeLabel("title", QStringLiteral("specificationTitle"), content, tr("Specification"));
  specification_ = makeMutedLabel(QStringLiteral("datasetSpecification"), content);
  specification_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  specification_->setToolTip(
      tr("Opens this dataset with these options, here or on the command line"));
  facts_ = makeMutedLabel(QStringLiteral("datasetFacts"), content);
  inner->addWidget(form_);
  inner->addWidget(specification_title);
  inner->addWidget(specification_);
  inner->addWidget(facts_);

  problem_ = makeLabel("error", QStringLiteral("datasetPanelProblem"), this);
  problem_->hide();
  addBelow(problem_);
  apply_ = addButtons(tr("Apply"), "applyDataset", "closeDatasetPanel");
  connect(form_, &OptionsForm::edited, this, &DatasetPanel::refresh);
  connect(form_, &OptionsForm::validChanged, this, &DatasetPanel::refresh);
  connect(apply_, &QPushButton::clicked, this, &DatasetPanel::saveEdits);
  connect(&session_, &Session::workspaceChanged, this, &DatasetPanel::follow);
}

DatasetPanel::~DatasetPanel() {
  form_->clearFields();
}

void DatasetPanel::edit(std::size_t position) {
  const DatasetEntry& entry = session_.datasets()[position];
  dataset_ = entry.dataset;
  form_->clearFields();
  const auto edit = DatasetEdit::of(*dataset_, entry.name.toStdString());
  form_->setVisible(edit.has_value());
  edit_ = edit ? *edit : DatasetEdit();
  unedited_ = edit_;
  setTarget(countedText(dataset_->size(), tr("%1 item"), tr("%1 items")));
  if (edit) {
    form_->setFields(edit_.fields());
    const std::pair<const char*, QString> hints[] = {{"items", tr("all, or e.g. 0:1000")},
                                                     {"classes", tr("all, or e.g. 0,1,2")}};
    for (const auto& [field, hint] : hints) {
      if (auto* const editor = form_->findChild<QLineEdit*>(QLatin1String(field))) {
        editor->setPlaceholderText(hint);
      }
    }
  }
  QStringList facts;
  const std::vector<std::string>& names = dataset_->info().class_names;
  if (!names.empty()) {
    constexpr std::size_t kShown = 20;
    QStringList shown;
    for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) {
      shown << QString::fromStdString(names[i]);
    }
    facts << tr("%1: %2%3")
                 .arg(countedText(std::ssize(names), tr("%1 class"), tr("%1 classes")),
                      shown.join(QStringLiteral(", ")),
                      names.size() > kShown ? QStringLiteral(", …") : QString());
  }
  for (const std::string& note : dataset_->info().notes) {
    facts << noteText(note);
  }
  facts_->setText(facts.join(u'\n'));
  refresh();
}

void DatasetPanel::refresh() {
  const auto specification = edit_.specification();
  const Status fields = form_->check();
  const QString problem = !fields              ? errorText(fields.error())
                          : !specification     ? errorText(specification.error())
                          : edit_.name.empty() ? tr("Enter a name")
                                               : QString();
  specification_->setText(specification ? QString::fromStdString(*specification) : QString());
  problem_->setText(problem);
  problem_->setVisible(!problem.isEmpty());
  apply_->setEnabled(dataset_ && problem.isEmpty());
}

void DatasetPanel::follow() {
  const auto& entries = session_.datasets();
  if (dataset_ && std::ranges::find(entries, dataset_, &DatasetEntry::dataset) == entries.end()) {
    dataset_ = nullptr;
    Q_EMIT closed();
  }
}

QString DatasetPanel::unsavedEdits() const {
  return dataset_ && edit_ != unedited_
             ? tr("%1 was edited and not applied.").arg(QString::fromStdString(unedited_.name))
             : QString();
}

bool DatasetPanel::canSaveEdits() const {
  return apply_->isEnabled();
}

void DatasetPanel::saveEdits() {
  if (const auto specification = edit_.specification()) {
    opener_.reopenDataset(dataset_, QString::fromStdString(edit_.name), *specification);
  }
}

}  // namespace dubito

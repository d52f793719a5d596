// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/train/train_set_up.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStandardPaths>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/compute/unmet_options.h"
#include "app/files/recent_files.h"
#include "app/session/error_text.h"
#include "app/session/session.h"
#include "app/train/train_values.h"
#include "app/workbench/run_computer.h"
#include "widgets/options_form.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kSetUpWidth = 85 * kGrid;  // a list and a number next to each other fit
constexpr double kUsualValidationShare = 0.2;

/// Whether heads can be trained on the dataset: its items have classes of the network.
bool isForTraining(const DatasetEntry& entry) {
  const Role role = entry.dataset->info().role;
  return !entry.ood && role != Role::kOod && role != Role::kUnlabelled;
}

/// Lists `names` and chooses the one at `position`.
void refill(QComboBox& list, const QStringList& names, std::ptrdiff_t position) {
  const QSignalBlocker quiet(list);
  list.clear();
  list.addItems(names);
  for (int i = 0; i < list.count(); ++i) {
    list.setItemData(i, list.itemText(i), Qt::ToolTipRole);
  }
  list.setCurrentIndex(static_cast<int>(position));
  list.setToolTip(list.currentText());
  list.setEnabled(!names.isEmpty());
}

}  // namespace

TrainSetUp::TrainSetUp(Session& session, const RunComputer& computer, const RecentFiles& recent,
                       QWidget* parent)
    : LabSetUp(tr("Train head"), "trainSetUpCard", kSetUpWidth, parent),
      session_(session),
      computer_(computer),
      recent_(recent) {
  options_.dropout = "concrete";
  options_.validation_share = kUsualValidationShare;
  addHeading(tr("Backbone"));
  backbones_ = addList(tr("Backbone"), "trainBackbone");
  addHeading(tr("Dataset"));
  data_ = addList(tr("Dataset"), "trainDataset");
  for (QComboBox* const list : {backbones_, data_}) {
    list->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    connect(list, &QComboBox::currentIndexChanged, this, [this, list] {
      dataset_was_chosen_ = dataset_was_chosen_ || list == data_;
      list->setToolTip(list->currentText());
      suggestPath();
      Q_EMIT changed();
    });
  }
  addHeading(tr("Head"));
  form_ = addForm("trainForm");
  connect(form_, &OptionsForm::edited, this, [this] {
    showOptions();
    Q_EMIT changed();
  });
  connect(form_, &OptionsForm::validChanged, this, &TrainSetUp::changed);
  addOutput();
  setOptions(options_);
  connect(&session_, &Session::workspaceChanged, this, &TrainSetUp::reload);
  reload();
}

TrainSetUp::~TrainSetUp() {
  form_->clearFields();
}

void TrainSetUp::addOutput() {
  addHeading(tr("New model"));
  auto* const row = new QHBoxLayout;
  row->setSpacing(2 * kGrid);
  output_ = new QLineEdit(body());
  output_->setObjectName(QStringLiteral("trainOutput"));
  output_->setAccessibleName(tr("File of the new model"));
  output_->setReadOnly(true);
  choose_ = new QPushButton(tr("Choose…"), body());
  choose_->setObjectName(QStringLiteral("trainChooseOutput"));
  choose_->setToolTip(tr("Choose the file that backbone and head are written to"));
  row->addWidget(output_, 1);
  row->addWidget(choose_);
  rows().addLayout(row);
  connect(choose_, &QPushButton::clicked, this, &TrainSetUp::askForPath);
}

void TrainSetUp::setOptions(const HeadOptions& options) {
  form_->clearFields();
  options_ = options;
  std::vector<Field> fields = options_.fields();
  fields.push_back({{.name = "seed",
                     .label = "Seed",
                     .help = "seed of the weights, the order of the items and the items that are "
                             "held out; the same seed gives the same head",
                     .min = 0,
                     .max = 9e15,
                     .advanced = true},
                    &seed_});
  form_->setFields(std::move(fields));
  showOptions();
  Q_EMIT changed();
}

void TrainSetUp::showOptions() {
  showUnmetOptions(options_.fields(), *form_);
}

void TrainSetUp::reload() {
  const ModelPtr backbone_before = backbone();
  const DatasetPtr dataset_before = dataset();
  models_.clear();
  datasets_.clear();
  QStringList model_names;
  QStringList dataset_names;
  std::ptrdiff_t usual_dataset = 0;
  bool has_training_set = false;
  for (const ModelEntry& entry : session_.models()) {
    models_.push_back(entry.model);
    model_names << entry.name;
  }
  for (const DatasetEntry& entry : session_.datasets()) {
    if (!isForTraining(entry)) {
      continue;
    }
    const Role role = entry.dataset->info().role;
    if (!has_training_set && (role == Role::kTrain || entry.dataset == session_.activeDataset())) {
      usual_dataset = std::ssize(datasets_);
      has_training_set = role == Role::kTrain;
    }
    datasets_.push_back(entry.dataset);
    dataset_names << QStringLiteral("%1 (%2)").arg(entry.name,
                                                   QString::fromStdString(toString(role)));
  }
  const auto position_of = [](const auto& all, const auto& one, std::ptrdiff_t otherwise) {
    const auto found = std::ranges::find(all, one);
    return one && found != all.end() ? found - all.begin() : otherwise;
  };
  refill(*backbones_, model_names,
         position_of(models_, backbone_before, session_.activeModelPosition()));
  refill(*data_, dataset_names,
         position_of(datasets_, dataset_was_chosen_ ? dataset_before : nullptr, usual_dataset));
  if (backbone() != backbone_before || dataset() != dataset_before || path_.isEmpty()) {
    suggestPath();
  }
  Q_EMIT changed();
}

ModelPtr TrainSetUp::backbone() const {
  const auto index = static_cast<std::size_t>(backbones_->currentIndex());
  return index < models_.size() ? models_[index] : nullptr;
}

DatasetPtr TrainSetUp::dataset() const {
  const auto index = static_cast<std::size_t>(data_->currentIndex());
  return index < datasets_.size() ? datasets_[index] : nullptr;
}

QString TrainSetUp::suggestedFolder() const {
  const auto is_fine = [](const QString& folder) {
    return !folder.isEmpty() && QFileInfo(folder).isWritable();
  };
  const ModelPtr chosen = backbone();
  const std::vector<ModelEntry>& models = session_.models();
  const auto entry = std::ranges::find(models, chosen, &ModelEntry::model);
  const bool is_demo = entry != models.end() && entry->demo;
  const QString backbone_folder = QFileInfo(QString::fromStdString(chosen->path())).absolutePath();
  if (!is_demo && is_fine(backbone_folder)) {
    return backbone_folder;
  }
  if (const QString recent = recent_.folder(); is_fine(recent)) {
    return recent;
  }
  const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
  return is_fine(documents) ? documents
                            : QStandardPaths::writableLocation(QStandardPaths::HomeLocation);
}

void TrainSetUp::suggestPath() {
  if (path_was_chosen_ || !backbone() || !dataset()) {
    return;
  }
  setPath(freshHeadFile(suggestedFolder(), backbone()->metadata().name, dataset()->info().name));
  path_was_chosen_ = false;
}

void TrainSetUp::setPath(const QString& path) {
  path_ = path;
  path_was_chosen_ = true;
  output_->setText(QFileInfo(path).fileName());
  output_->setCursorPosition(0);
  output_->setToolTip(path);
  Q_EMIT changed();
}

void TrainSetUp::takeFreshPath() {
  const bool was_chosen = path_was_chosen_;
  setPath(freshFile(path_));
  path_was_chosen_ = was_chosen;
}

void TrainSetUp::askForPath() {
  QString path = std::exchange(next_file_name_, {});
  if (path.isEmpty()) {
    path = QFileDialog::getSaveFileName(this, tr("Save the new model as"), path_,
                                        tr("TorchScript (*.pt)"));
  }
  if (!path.isEmpty()) {
    setPath(path);
  }
}

void TrainSetUp::setLocked(bool locked) {
  body()->setEnabled(!locked);
}

QString TrainSetUp::obstacle() const {
  if (models_.empty()) {
    return tr("Open a model first: the new head is trained on its features.");
  }
  if (datasets_.empty()) {
    return session_.datasets().empty()
               ? tr("Open a dataset with labels first.")
               : tr("None of the open datasets has classes to learn; open one with labels, or set "
                    "its role to train (Edit dataset, in its menu).");
  }
  if (const Status valid = form_->check(); !valid) {
    return errorText(valid.error());
  }
  if (const Status valid = options_.check(); !valid) {
    return errorText(valid.error());
  }
  return {};
}

HeadRequest TrainSetUp::request() const {
  return {.backbone = backbone(),
          .dataset = dataset(),
          .options = options_,
          .batch = computer_.settings().predict.batch,
          .seed = static_cast<std::uint64_t>(seed_),
          .path = path_.toStdString()};
}

}  // namespace dubito

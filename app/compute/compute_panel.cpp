// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/compute/compute_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "app/compute/member_list.h"
#include "app/compute/method_data_form.h"
#include "app/compute/ood_list.h"
#include "app/compute/site_list.h"
#include "app/compute/unmet_options.h"
#include "app/session/error_text.h"
#include "app/words/words.h"
#include "core/io/run_needs.h"
#include "widgets/muted_label.h"
#include "widgets/options_form.h"

namespace dubito {
namespace {

constexpr const char* kEnsemble = "ensemble";

/// What to know before a network looks at images whose labels are under review; empty: nothing.
QString otherClassesText(const Session& session) {
  const ModelPtr model = session.activeModel();
  const DatasetPtr dataset = session.activeDataset();
  const auto is_label_run = [&](const AnalysisPtr& analysis) {
    return analysis->in().dataset == dataset && analysis->in().run->meta.method == kLabelsMethod;
  };
  if (!model || !dataset || std::ranges::none_of(session.analyses(), is_label_run)) {
    return {};
  }
  const std::vector<std::string>& labels = dataset->info().class_names;
  const std::vector<std::string>& network = model->metadata().class_names;
  if (labels.empty() || network == labels ||
      (network.empty() && model->audit().classes == std::ssize(labels))) {
    return {};
  }
  return model->audit().classes == std::ssize(labels)
             ? ComputePanel::tr(
                   "The network has other classes than the labels, or another order: "
                   "its run cannot be reviewed together with them.")
             : ComputePanel::tr(
                   "The network has %1 classes, the labels have %2: its run cannot be "
                   "reviewed together with them.")
                   .arg(model->audit().classes)
                   .arg(labels.size());
}

}  // namespace

ComputePanel::ComputePanel(Session& session, WindowJobs& jobs, RunComputer& computer,
                           QWidget* parent)
    : SetupPanel("compute", tr("Compute"), parent),
      session_(session),
      jobs_(jobs),
      computer_(computer),
      devices_(queryDevices()),
      edited_(computer.settings()),
      seed_(static_cast<std::int64_t>(edited_.seed)) {
  setObjectName(QStringLiteral("computePanel"));
  buildForm(*contentLayout());
  buildModelPart(*contentLayout());

  estimate_ = makeMutedLabel(QStringLiteral("computeEstimate"), this);
  estimate_->setToolTip(tr("Measured on a few items on this machine"));
  estimate_->hide();
  classes_note_ = makeMutedLabel(QStringLiteral("computeClassesNote"), this);
  reason_ = makeMutedLabel(QStringLiteral("computeReason"), this);
  addBelow(estimate_);
  addBelow(classes_note_);
  addBelow(reason_);
  start_ = addButtons(tr("Compute"), "startCompute", "closeCompute");

  connect(start_, &QPushButton::clicked, this, &ComputePanel::start);
  connect(&session_, &Session::workspaceChanged, this, &ComputePanel::refresh);
  connect(&jobs_, &WindowJobs::started, this, &ComputePanel::refresh);
  connect(&jobs_, &WindowJobs::finished, this, &ComputePanel::refresh);
  connect(&computer_, &RunComputer::computingChanged, this, &ComputePanel::refresh);
  constexpr int kTypingPause = 400;  // ms
  estimate_timer_.setSingleShot(true);
  estimate_timer_.setInterval(kTypingPause);
  connect(&estimate_timer_, &QTimer::timeout, this, &ComputePanel::requestEstimate);
  connect(&computer_, &RunComputer::estimated, this, [this](const QString& text) {
    estimate_->setText(text);
    estimate_->setVisible(!text.isEmpty() && start_->isEnabled() && !isEnsemble());
  });
  method_->setCurrentIndex(
      std::max(0, method_->findData(QString::fromStdString(methodName(edited_.method)))));
  connect(method_, &QComboBox::currentIndexChanged, this, &ComputePanel::showMethod);
  connect(device_, &QComboBox::currentIndexChanged, this, &ComputePanel::refresh);
  showMethod();
  refresh();
}

ComputePanel::~ComputePanel() {
  method_form_->clearFields();
  run_form_->clearFields();
}

void ComputePanel::buildForm(QVBoxLayout& layout) {
  buildMethodPart(layout);
  buildRunPart(layout);
  buildDevicePart(layout);
}

void ComputePanel::buildMethodPart(QVBoxLayout& layout) {
  QWidget* const parent = layout.parentWidget();
  method_ = new QComboBox(parent);
  method_->setObjectName(QStringLiteral("methodChooser"));
  method_->setAccessibleName(tr("Method"));
  for (const MethodDescription& method : allMethods()) {
    method_->addItem(QString::fromStdString(method.label), QString::fromStdString(method.name));
  }
  method_->addItem(tr("Ensemble of runs"), QLatin1String(kEnsemble));
  summary_ = makeMutedLabel(QStringLiteral("methodSummary"), parent);
  method_form_ = new OptionsForm(parent);
  method_form_->setObjectName(QStringLiteral("methodForm"));
  data_ = new MethodDataForm(session_, parent);
  data_->setObjectName(QStringLiteral("methodDataForm"));
  connect(data_, &MethodDataForm::edited, this, &ComputePanel::refresh);
  connect(data_, &MethodDataForm::openRequested, this, &ComputePanel::datasetRequested);
  ood_heading_ = makeLabel("title", QStringLiteral("oodTitle"), parent, tr("OOD sets"));
  ood_ = new OodList(session_, parent);
  ood_->setObjectName(QStringLiteral("oodList"));
  connect(ood_, &OodList::edited, this, &ComputePanel::refresh);
  members_ = new MemberList(session_, parent);
  members_->setObjectName(QStringLiteral("memberList"));
  connect(members_, &MemberList::edited, this, &ComputePanel::refresh);
  sites_heading_ = makeLabel("title", QStringLiteral("sitesTitle"), parent, tr("Dropout sites"));
  sites_ = new SiteList(parent);
  sites_->setObjectName(QStringLiteral("siteList"));
  connect(sites_, &SiteList::edited, this, &ComputePanel::refresh);
  connect(method_form_, &OptionsForm::validChanged, this, &ComputePanel::refresh);
  connect(method_form_, &OptionsForm::edited, this, &ComputePanel::refresh);
  layout.addWidget(method_);
  layout.addWidget(summary_);
  layout.addWidget(method_form_);
  layout.addWidget(data_);
  layout.addWidget(ood_heading_);
  layout.addWidget(ood_);
  layout.addWidget(members_);
  layout.addWidget(sites_heading_);
  layout.addWidget(sites_);
}

void ComputePanel::buildRunPart(QVBoxLayout& layout) {
  QWidget* const parent = layout.parentWidget();
  auto* const run_heading = makeLabel("title", QStringLiteral("runTitle"), parent, tr("Run"));
  run_form_ = new OptionsForm(parent);
  run_form_->setObjectName(QStringLiteral("runForm"));
  std::vector<Field> fields = {
      {{.name = "seed",
        .label = "Seed",
        .help = "seed of all random numbers; the same seed reproduces a run",
        .min = 0,
        .max = 9e15},
       &seed_}};
  for (Field& field : edited_.predict.fields()) {
    fields.push_back(std::move(field));
  }
  for (Field& field : edited_.evaluation.fields()) {
    fields.push_back(std::move(field));
  }
  for (Field& field : edited_.memory.fields()) {
    fields.push_back(std::move(field));
  }
  run_form_->setFields(std::move(fields));
  connect(run_form_, &OptionsForm::validChanged, this, &ComputePanel::refresh);
  connect(run_form_, &OptionsForm::edited, this, &ComputePanel::refresh);
  layout.addWidget(run_heading);
  layout.addWidget(run_form_);
}

void ComputePanel::buildDevicePart(QVBoxLayout& layout) {
  QWidget* const parent = layout.parentWidget();
  device_ = new QComboBox(parent);
  device_->setObjectName(QStringLiteral("deviceChooser"));
  device_->setAccessibleName(tr("Device"));
  device_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  device_note_ = makeMutedLabel(QStringLiteral("deviceNote"), parent);
  auto* const device_heading =
      makeLabel("title", QStringLiteral("deviceTitle"), parent, tr("Device"));
  fillDevices();
  isolated_ = new QCheckBox(tr("Run in a separate process"), parent);
  isolated_->setObjectName(QStringLiteral("isolatedCheck"));
  isolated_->setToolTip(
      tr("Computes in dubito-cli: a network that crashes, hangs or exhausts the memory stops the "
         "computation, not the window. The results are identical"));
  isolated_->setChecked(edited_.isolated);
  isolated_note_ = makeMutedLabel(QStringLiteral("isolatedNote"), parent);
  connect(isolated_, &QCheckBox::toggled, this, [this](bool on) { computer_.setIsolated(on); });
  layout.addWidget(device_heading);
  layout.addWidget(device_);
  layout.addWidget(device_note_);
  layout.addWidget(isolated_);
  layout.addWidget(isolated_note_);
}

void ComputePanel::buildModelPart(QVBoxLayout& layout) {
  QWidget* const parent = layout.parentWidget();
  auto* const heading = makeLabel("title", QStringLiteral("auditTitle"), parent, tr("Model"));
  preprocessing_ = makeMutedLabel(QStringLiteral("preprocessingLine"), parent);
  edit_preprocessing_ = new QPushButton(tr("Edit preprocessing…"), parent);
  edit_preprocessing_->setObjectName(QStringLiteral("editPreprocessingButton"));
  connect(edit_preprocessing_, &QPushButton::clicked, this, &ComputePanel::preprocessingRequested);
  notes_ = makeMutedLabel(QStringLiteral("auditNotes"), parent);
  layout.addWidget(heading);
  layout.addWidget(preprocessing_);
  layout.addWidget(edit_preprocessing_, 0, Qt::AlignLeft);
  layout.addWidget(notes_);
}

void ComputePanel::fillDevices() {
  device_->addItem(tr("CPU, threads: %1").arg(jobs_.threads()), QStringLiteral("cpu"));
  device_->setItemData(0, QString::fromStdString(devices_.cpu_name), Qt::ToolTipRole);
  for (const CudaDeviceInfo& cuda : devices_.cuda_devices) {
    device_->addItem(
        QStringLiteral("cuda:%1 %2").arg(cuda.index).arg(QString::fromStdString(cuda.name)),
        QStringLiteral("cuda:%1").arg(cuda.index));
  }
  if (!devices_.cuda_devices.empty() && devices_.cuda_unavailable_reason.empty()) {
    device_->setCurrentIndex(1);
  }
  device_note_->setText(QString::fromStdString(devices_.cuda_unavailable_reason));
  device_note_->setVisible(!devices_.cuda_unavailable_reason.empty());
}

void ComputePanel::chooseMethod(const QString& name) {
  method_->setCurrentIndex(method_->findData(name));
}

bool ComputePanel::isEnsemble() const {
  return method_->currentData().toString() == QLatin1String(kEnsemble);
}

void ComputePanel::showMethod() {
  const std::string name = method_->currentData().toString().toStdString();
  method_form_->clearFields();
  for (const MethodDescription& method : allMethods()) {
    if (method.name == name) {
      if (methodName(edited_.method) != name) {
        edited_.method = method.defaults;
      }
      summary_->setText(QString::fromStdString(method.summary));
    }
  }
  std::vector<Field> fields;
  if (isEnsemble()) {
    summary_->setText(
        tr("Averages the probabilities of several runs; disagreement shows what the network does "
           "not know"));
  } else {
    fields = methodFields(edited_.method);
  }
  // The check boxes below choose the sites, with their names.
  std::erase_if(fields, [](const Field& field) { return field.info.name == "sites"; });
  method_form_->setVisible(!fields.empty());
  method_form_->setFields(std::move(fields));
  const bool dropout = !isEnsemble() && dropoutOf(edited_.method) != nullptr;
  members_->setVisible(isEnsemble());
  sites_heading_->setVisible(dropout);
  refresh();
}

void ComputePanel::showInactiveFields() {
  if (isEnsemble()) {
    return;
  }
  showUnmetOptions(methodFields(edited_.method), *method_form_);
}

void ComputePanel::showModel() {
  const ModelPtr model = session_.activeModel();
  if (model == shown_model_ && model) {
    return;
  }
  // As in RunComputer::selectSuitableMethod: replace a method that was never chosen, or that would
  // insert dropout.
  const bool inserts = model && wouldInsertDropout(edited_.method, *model) && !isEnsemble();
  const bool was_suited = model && shown_model_ &&
                          methodJson(edited_.method) == methodJson(suitableMethod(*shown_model_)) &&
                          !isEnsemble();
  shown_model_ = model;
  edit_preprocessing_->setVisible(model != nullptr);
  if (inserts || was_suited) {
    chooseMethod(QString::fromStdString(methodName(suitableMethod(*model))));
  }
  if (!model) {
    sites_->setSites({});
    preprocessing_->setText(tr("Open a model to see what it contains"));
    notes_->clear();
    return;
  }
  sites_->setSites(model->audit().dropout_sites);
  preprocessing_->setText(
      tr("Input: %1 (%2)")
          .arg(QString::fromStdString(model->metadata().preprocessing.describe()),
               metadataSourceText(model->metadata())));
  QStringList notes;
  for (const Note& note : model->audit().notes) {
    notes << QStringLiteral("• ") + noteText(note);
  }
  notes_->setText(notes.join(QLatin1Char('\n')));
}

void ComputePanel::refresh() {
  showModel();
  const int position = session_.activeModelPosition();
  if (position >= 0 && session_.activeDataset()) {
    const auto& in =
        session_.datasets()[static_cast<std::size_t>(session_.activeDatasetPosition())];
    QString text =
        tr("%1 on %2").arg(session_.models()[static_cast<std::size_t>(position)].name, in.name);
    const std::vector<DatasetPtr> left_out = ood_->excluded();
    for (const DatasetEntry& ood : session_.oodDatasets()) {
      if (std::ranges::find(left_out, ood.dataset) == left_out.end()) {
        text += tr(" + %1").arg(ood.name);
      }
    }
    setTarget(text);
  } else {
    setTarget(tr("Requires a model and a dataset"));
  }
  const bool joins = isEnsemble();
  if (joins) {
    setTarget(tr("Members: %1").arg(members_->chosen().size()));
  }
  QString reason;
  bool fine = computer_.canCompute(&reason, joins);
  if (fine && joins && !members_->problem().isEmpty()) {
    fine = false;
    reason = members_->problem();
  }
  const bool dropout = !joins && dropoutOf(edited_.method) != nullptr;
  sites_->setVisible(dropout && shown_model_ != nullptr);
  ood_heading_->setVisible(!joins && !ood_->empty());
  ood_->setVisible(!joins && !ood_->empty());
  if (fine && dropout && !sites_->valid()) {
    fine = false;
    reason = tr("No dropout site selected; tick one, or use MAP softmax");
  }
  data_->setNeeds(joins ? MethodNeeds() : inputsRequiredBy(edited_.method));
  showInactiveFields();
  if (fine && !data_->problem().isEmpty()) {
    fine = false;
    reason = data_->problem();
  }
  for (const OptionsForm* const form : {method_form_, run_form_}) {
    if (const Status status = form->check(); fine && !status) {
      fine = false;
      reason = errorText(status.error());
    }
  }
  if (const Status status = edited_.memory.check(); fine && !status) {
    fine = false;
    reason = errorText(status.error());
  }
  const QString in_window = computer_.whyNotIsolated(settings(), joins);
  isolated_->setEnabled(in_window.isEmpty());
  isolated_note_->setText(in_window);
  isolated_note_->setVisible(!in_window.isEmpty());
  start_->setEnabled(fine);
  start_->setText(computer_.queue().running() ? tr("Add to queue") : tr("Compute"));
  // The old estimate was for other settings.
  computer_.dropEstimate();
  estimate_->hide();
  estimate_timer_.start();
  classes_note_->setText(joins ? QString() : otherClassesText(session_));
  classes_note_->setVisible(!classes_note_->text().isEmpty());
  reason_->setText(reason);
  reason_->setVisible(!reason.isEmpty());
}

ComputeSettings ComputePanel::settings() const {
  ComputeSettings settings = edited_;
  settings.seed = static_cast<std::uint64_t>(seed_);
  if (McDropoutOptions* const dropout = dropoutOf(settings.method)) {
    dropout->sites = sites_->chosen();
  }
  settings.members = isEnsemble() ? members_->chosen() : std::vector<AnalysisPtr>();
  settings.excluded_ood = ood_->excluded();
  settings.data.fit = data_->fit();
  settings.data.calibration = data_->calibration();
  settings.held_out = data_->heldOut();
  settings.isolated = isolated_->isChecked();
  settings.device = parseDevice(device_->currentData().toString().toStdString()).value_or(Device{});
  return settings;
}

void ComputePanel::requestEstimate() {
  if (isVisible() && start_->isEnabled() && !jobs_.busy()) {
    computer_.estimate(settings());
  }
}

void ComputePanel::showEvent(QShowEvent* event) {
  QFrame::showEvent(event);
  estimate_timer_.start();
}

void ComputePanel::start() {
  computer_.compute(settings());
  Q_EMIT started();
}

}  // namespace dubito

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/side_panels.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "app/compute/compute_panel.h"
#include "app/explore/inspector/item_inspector.h"
#include "app/workspace/dataset_panel.h"
#include "app/workspace/model_panel.h"

namespace dubito {

SidePanels::SidePanels(const Parts& parts, QWidget* parent)
    : QStackedWidget(parent), session_(parts.session) {
  setObjectName(QStringLiteral("side"));
  inspector_ = new ItemInspector(session_, parts.jobs.computeThread(), parts.settings, this);
  compute_ = new ComputePanel(session_, parts.jobs, parts.computer, this);
  model_ = new ModelPanel(session_, parts.opener, this);
  dataset_ = new DatasetPanel(session_, parts.opener, this);
  for (QWidget* const panel :
       std::initializer_list<QWidget*>{inspector_, compute_, model_, dataset_}) {
    addWidget(panel);
  }
  showPanel(inspector_);
  for (SetupPanel* const panel : std::initializer_list<SetupPanel*>{compute_, model_, dataset_}) {
    connect(panel, &SetupPanel::closeRequested, this, [this, panel] {
      if (mayLeave(*panel)) {
        leave(*panel);
      }
    });
  }
  connect(compute_, &ComputePanel::started, this, [this] { leave(*compute_); });
  connect(dataset_, &DatasetPanel::closed, this, [this] { leave(*dataset_); });
  // Queued: all parts of the window know by then that it is closed.
  connect(model_, &ModelPanel::closed, this, &SidePanels::leaveClosedModel, Qt::QueuedConnection);
  connect(compute_, &ComputePanel::preprocessingRequested, this, [this] {
    if (session_.activeModelPosition() >= 0) {
      editModel(static_cast<std::size_t>(session_.activeModelPosition()));
    }
  });
}

void SidePanels::showPanel(QWidget* panel) {
  const bool was_open = isComputeOpen();
  setCurrentWidget(panel);
  if (was_open != isComputeOpen()) {
    Q_EMIT computeOpenChanged(isComputeOpen());
  }
}

void SidePanels::showInspector() {
  showPanel(inspector_);
}

bool SidePanels::isComputeOpen() const {
  return currentWidget() == compute_;
}

void SidePanels::setComputeOpen(bool open) {
  if (open != isComputeOpen()) {
    showPanel(open ? static_cast<QWidget*>(compute_) : inspector_);
  }
}

void SidePanels::editModel(std::size_t position) {
  const ModelPtr model = session_.models()[position].model;
  const bool goes_on = model_->model() == model && !model_->unsavedEdits().isEmpty();
  if (!goes_on && mayLeave(*model_)) {
    model_->edit(model);
  }
  showPanel(model_);
}

void SidePanels::editDataset(std::size_t position) {
  const DatasetPtr dataset = session_.datasets()[position].dataset;
  const bool goes_on = dataset_->dataset() == dataset && !dataset_->unsavedEdits().isEmpty();
  if (!goes_on && mayLeave(*dataset_)) {
    dataset_->edit(position);
  }
  showPanel(dataset_);
}

void SidePanels::leave(SetupPanel& panel) {
  // A panel may close while another one is open, if its dataset was reopened.
  if (currentWidget() == &panel) {
    showPanel(inspector_);
  }
}

void SidePanels::leaveClosedModel() {
  const std::vector<ModelEntry>& open = session_.models();
  if (std::ranges::find(open, model_->model(), &ModelEntry::model) != open.end()) {
    return;  // another one is edited by now
  }
  // The values can still be saved next to the file.
  static_cast<void>(mayLeave(*model_, false));
  leave(*model_);
  model_->edit(nullptr);
}

bool SidePanels::mayLeave(SetupPanel& panel, bool may_stay) {
  const QString edits = panel.unsavedEdits();
  if (edits.isEmpty()) {
    return true;
  }
  const bool can_save = panel.canSaveEdits();
  const auto answer =
      ask(can_save ? tr("%1 Save and apply the edits?").arg(edits)
                   : tr("%1 A value is invalid. Discard the edits?").arg(edits),
          QMessageBox::Discard | (may_stay ? QMessageBox::Cancel : QMessageBox::NoButton) |
              (can_save ? QMessageBox::Save : QMessageBox::NoButton));
  if (answer == QMessageBox::Save) {
    panel.saveEdits();
  } else if (answer == QMessageBox::Discard) {
    panel.discardEdits();
  }
  return answer != QMessageBox::Cancel;
}

bool SidePanels::mayCloseWindow() {
  for (const SetupPanel* const panel : std::initializer_list<const SetupPanel*>{model_, dataset_}) {
    const QString edits = panel->unsavedEdits();
    if (!edits.isEmpty() &&
        ask(tr("%1 Close the window without these edits?").arg(edits),
            QMessageBox::Discard | QMessageBox::Cancel) != QMessageBox::Discard) {
      return false;
    }
  }
  return true;
}

QMessageBox::StandardButton SidePanels::ask(const QString& question,
                                            QMessageBox::StandardButtons answers) {
  if (next_answer_) {
    return *std::exchange(next_answer_, std::nullopt);
  }
  QMessageBox box(QMessageBox::Question, tr("Unsaved edits"), question, answers, window());
  const bool may_cancel = answers.testFlag(QMessageBox::Cancel);
  box.setEscapeButton(may_cancel ? QMessageBox::Cancel : QMessageBox::Discard);
  box.setDefaultButton(answers.testFlag(QMessageBox::Save) ? QMessageBox::Save
                       : may_cancel                        ? QMessageBox::Cancel
                                                           : QMessageBox::Discard);
  box.setObjectName(QStringLiteral("editsQuestion"));
  return static_cast<QMessageBox::StandardButton>(box.exec());
}

}  // namespace dubito

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/side_panels.h"

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
  // A panel may close while another one is open, if its dataset was reopened.
  const auto closing = [this](QWidget* panel) {
    return [this, panel] {
      if (currentWidget() == panel) {
        showPanel(inspector_);
      }
    };
  };
  connect(compute_, &ComputePanel::closed, this, closing(compute_));
  connect(compute_, &ComputePanel::started, this, closing(compute_));
  connect(model_, &ModelPanel::closed, this, closing(model_));
  connect(dataset_, &DatasetPanel::closed, this, closing(dataset_));
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
  model_->edit(session_.models()[position].model);
  showPanel(model_);
}

void SidePanels::editDataset(std::size_t position) {
  dataset_->edit(position);
  showPanel(dataset_);
}

}  // namespace dubito

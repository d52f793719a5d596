// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/compute/member_list.h"

#include <QCheckBox>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

#include "app/session/error_text.h"
#include "app/session/run_names.h"
#include "core/analysis/join_analyses.h"
#include "widgets/muted_label.h"
#include "widgets/theme.h"

namespace dubito {

MemberList::MemberList(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      layout_(new QVBoxLayout(this)),
      none_(makeMutedLabel(
          {}, this, tr("No runs yet; the members of an ensemble are runs in the workspace"))) {
  layout_->setContentsMargins(0, 0, 0, 0);
  layout_->setSpacing(kGrid);
  layout_->addWidget(none_);
  connect(&session_, &Session::workspaceChanged, this, &MemberList::refresh);
  refresh();
}

bool MemberList::startsTicked(const Analysis& analysis) const {
  // Several runs over the same images are probably meant for the ensemble; an ensemble is rarely a
  // member itself.
  const RunMeta& meta = analysis.in().run->meta;
  const RunMeta& first = session_.analyses().front()->in().run->meta;
  return meta.method != "ensemble" && meta.dataset_spec == first.dataset_spec;
}

void MemberList::refresh() {
  const std::vector<AnalysisPtr>& analyses = session_.analyses();
  const std::vector<std::string> names = runNames(session_);
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < analyses.size(); ++i) {
    auto known = std::find_if(entries_.begin(), entries_.end(),
                              [&](const Entry& entry) { return entry.analysis == analyses[i]; });
    if (known == entries_.end() && analyses.size() == entries_.size()) {
      // It replaced another run.
      known = entries_.begin() + static_cast<std::ptrdiff_t>(i);
    }
    auto* const box = new QCheckBox(this);
    box->setObjectName(QStringLiteral("member%1").arg(i));
    box->setText(QString::fromStdString(names[i]));
    box->setToolTip(QString::fromStdString(analyses[i]->detail));
    box->setChecked(known != entries_.end() ? known->box->isChecked() : startsTicked(*analyses[i]));
    layout_->addWidget(box);
    connect(box, &QCheckBox::toggled, this, [this] {
      findProblem();
      Q_EMIT edited();
    });
    entries.push_back({analyses[i], box});
  }
  for (const Entry& entry : entries_) {
    delete entry.box;
  }
  entries_ = std::move(entries);
  none_->setVisible(entries_.empty());
  findProblem();
  Q_EMIT edited();
}

std::vector<AnalysisPtr> MemberList::chosen() const {
  std::vector<AnalysisPtr> members;
  for (const Entry& entry : entries_) {
    if (entry.box->isChecked()) {
      members.push_back(entry.analysis);
    }
  }
  return members;
}

void MemberList::findProblem() {
  std::vector<AnalysisPtr> members = chosen();
  if (members.size() < 2) {
    problem_ =
        tr("An ensemble needs at least two members; compute runs over the same items (other "
           "models, methods or seeds) and tick them");
    return;
  }
  std::ranges::transform(members, members.begin(), givenOf);
  const Status fit = checkJoin(members);
  problem_ = fit ? QString() : errorText(fit.error());
}

}  // namespace dubito

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/open_offers.h"

#include <algorithm>

#include "app/shell/error_banner.h"
#include "app/shell/open_menu.h"
#include "app/shell/output_dialog.h"
#include "app/workbench/run_computer.h"
#include "widgets/number_text.h"

namespace dubito {

OpenOffers::OpenOffers(Session& session, FileOpener& opener, RunComputer& computer,
                       ErrorBanner& banner, OpenMenu& menu, QWidget& window)
    : QObject(&window),
      session_(session),
      opener_(opener),
      computer_(computer),
      banner_(banner),
      window_(window) {
  connect(&opener, &FileOpener::metadataSaved, this,
          [this](const ModelPtr&, const ModelPtr& now) { offerToComputeAgain(now); });
  connect(&session, &Session::workspaceChanged, this, &OpenOffers::checkOutdated);
  connect(&opener, &FileOpener::outputChoiceNeeded, this, &OpenOffers::askForOutput);
  connect(&computer, &RunComputer::inputSizeNeeded, this, &OpenOffers::offerInputSize);
  connect(&opener, &FileOpener::imagesNeeded, this,
          [this, &menu](const QString& labels, const QString& message) {
            missing_images_ = message;  // the error stays until a folder is chosen
            menu.askForImages(labels);
          });
  connect(&menu, &OpenMenu::imagesChosen, this, [this] { banner_.withdraw(missing_images_); });
  connect(&menu, &OpenMenu::runImagesChosen, this,
          [this](const QString& folder) { opener_.attachImages(folder.toStdString()); });
}

void OpenOffers::askForOutput(const QString& path, const std::vector<OutputOption>& options) {
  // The error just shown stays until a tensor is chosen.
  const QString refusal = banner_.messages().value(0);
  auto* const dialog = new OutputDialog(path, options, &window_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &OutputDialog::chosen, this,
          [this, refusal](const QString& model, const std::string& key) {
            banner_.withdraw(refusal);
            opener_.openWithOutput(model.toStdString(), key);
          });
  dialog->show();
}

std::vector<AnalysisPtr> OpenOffers::outdatedRuns(const ModelPtr& now) const {
  std::vector<AnalysisPtr> outdated;
  for (const AnalysisPtr& listed : session_.analyses()) {
    const AnalysisPtr analysis = givenOf(listed);
    if (analysis->model && analysis->model != now && analysis->model->path() == now->path()) {
      outdated.push_back(analysis);
    }
  }
  return outdated;
}

void OpenOffers::offerToComputeAgain(const ModelPtr& now) {
  banner_.withdraw(outdated_);
  changed_ = now;
  const std::vector<AnalysisPtr> outdated = outdatedRuns(now);
  if (outdated.empty()) {
    return;
  }
  std::vector<AnalysisPtr> repeatable;
  QStringList others;
  for (const AnalysisPtr& run : outdated) {
    if (RunComputer::canComputeAgain(*run)) {
      repeatable.push_back(run);
    } else {
      others << QString::fromStdString(run->name);
    }
  }
  outdated_ = tr("%1: %2 computed with its preprocessing of before")
                  .arg(QString::fromStdString(now->path()),
                       countedText(std::ssize(outdated), tr("%1 run was"), tr("%1 runs were")));
  if (!others.isEmpty()) {
    outdated_ += tr("; with Compute, repeat: %1").arg(others.join(QStringLiteral(", ")));
  }
  banner_.show(outdated_, false);
  if (!repeatable.empty()) {
    banner_.offer(
        outdated_,
        {.label = tr("Compute again (%1)").arg(repeatable.size()),
         .tooltip = tr("With the new preprocessing, the same images, method and seed. The "
                       "old runs stay in the list."),
         .act = [this, repeatable, now] {
           banner_.withdraw(outdated_);
           for (const AnalysisPtr& run : repeatable) {
             computer_.computeAgain(*run, now);
           }
         }});
  }
}

void OpenOffers::checkOutdated() {
  if (changed_ && outdatedRuns(changed_).empty()) {
    banner_.withdraw(outdated_);
    changed_ = nullptr;
  }
}

void OpenOffers::offerInputSize(const QString& message, const ModelPtr& model) {
  constexpr std::int64_t kUsualSide = 224;  // of most networks for photographs
  constexpr std::int64_t kSmallestSide = 64;
  // Of a network that takes any size, the audit may have tried a tiny one.
  const std::vector<std::int64_t>& tried = model->audit().input_shape;
  const bool is_usable = tried.size() == 3 && std::min(tried[1], tried[2]) >= kSmallestSide;
  const std::int64_t height = is_usable ? tried[1] : kUsualSide;
  const std::int64_t width = is_usable ? tried[2] : kUsualSide;
  banner_.offer(
      message,
      {.label = tr("Resize the images to %1 x %2 and compute").arg(height).arg(width),
       .tooltip = tr("The shorter side is resized and the middle is taken. The size is saved "
                     "next to the model; you can change it there (Model, preprocessing)."),
       .act = [this, message, model, height, width] {
         banner_.withdraw(message);
         opener_.resizeImages(model, height, width);
       }});
}

}  // namespace dubito

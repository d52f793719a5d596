// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/open_offers.h"

#include <algorithm>

#include "app/shell/error_banner.h"
#include "app/shell/open_menu.h"
#include "app/shell/output_dialog.h"
#include "app/workbench/run_computer.h"

namespace dubito {

OpenOffers::OpenOffers(FileOpener& opener, const RunComputer& computer, ErrorBanner& banner,
                       OpenMenu& menu, QWidget& window)
    : QObject(&window), opener_(opener), banner_(banner), window_(window) {
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

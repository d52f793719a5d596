// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <vector>

#include "app/workbench/file_opener.h"

class QWidget;

namespace dubito {

class ErrorBanner;
class OpenMenu;

/// What the window offers when a file cannot be opened or computed as it is: the choice of an
/// output, a size for the images, the folder of the images; and to compute again what was computed
/// with another preprocessing.
class OpenOffers : public QObject {
  Q_OBJECT
 public:
  /// All arguments outlive this object; dialogs belong to `window`.
  OpenOffers(Session& session, FileOpener& opener, RunComputer& computer, ErrorBanner& banner,
             OpenMenu& menu, QWidget& window);

 private:
  /// Asks which tensor of a network contains the class scores.
  void askForOutput(const QString& path, const std::vector<OutputOption>& options);
  /// Offers to resize images that have no common size, as `message` says.
  void offerInputSize(const QString& message, const ModelPtr& model);

  /// The runs of the file of `now` that were computed with other metadata.
  [[nodiscard]] std::vector<AnalysisPtr> outdatedRuns(const ModelPtr& now) const;
  void offerToComputeAgain(const ModelPtr& now);
  /// Withdraws the offer if its runs are closed.
  void checkOutdated();

  Session& session_;
  FileOpener& opener_;
  RunComputer& computer_;
  ErrorBanner& banner_;
  QWidget& window_;
  ModelPtr changed_;        ///< network for whose old runs there is an offer; null: none
  QString outdated_;        ///< the message about them
  QString missing_images_;  ///< the error about labels whose images were not found
};

}  // namespace dubito

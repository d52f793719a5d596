// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "app/session/session.h"

class QComboBox;

namespace dubito {

class LabSetUp;

/// A model and a dataset; null members stand for those of the sample, which are not loaded yet.
struct RotationSource {
  ModelPtr model;
  DatasetPtr dataset;
};

/// `source` with the sample loaded where it is wanted.
[[nodiscard]] Expected<RotationSource> loadedSource(RotationSource source, RunContext& context);

/// The rows of a set-up that choose a model and a dataset: those of the session, then the sample of
/// this program.
class LabRotationSource : public QObject {
  Q_OBJECT
 public:
  /// `session` must outlive this; this belongs to `set_up`.
  LabRotationSource(LabSetUp& set_up, const Session& session);

  /// Lists what the session has, and keeps the choice if it can. Returns whether the choice is
  /// another.
  bool reload();
  [[nodiscard]] RotationSource chosen() const;
  /// Keeps the sample of `loaded`, if it is chosen, for the next time.
  void keepSample(const RotationSource& loaded);

 Q_SIGNALS:
  /// The user has chosen another.
  void changed();

 private:
  const Session& session_;
  RotationSource sample_;  ///< null until used
  QComboBox* models_;
  QComboBox* datasets_;
};

}  // namespace dubito

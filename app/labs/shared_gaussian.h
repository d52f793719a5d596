// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <utility>

#include "core/labs/simplex/gaussian_choice.h"

namespace dubito {

/// The Gaussian over logits of the laboratory "The simplex", which other laboratories can take
/// over. GUI thread only.
class SharedGaussian : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  [[nodiscard]] const LogitGaussian& value() const { return value_; }
  void setValue(LogitGaussian value) {
    value_ = std::move(value);
    Q_EMIT changed();
  }

 Q_SIGNALS:
  void changed();

 private:
  LogitGaussian value_ = gaussianPresets().front().make();
};

}  // namespace dubito

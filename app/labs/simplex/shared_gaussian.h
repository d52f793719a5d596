// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <utility>

#include "core/labs/simplex/gaussian_choice.h"

namespace dubito {

/// The Gaussian over the logits of an item that the user sent to the laboratories.
struct SentGaussian {
  QString name;             ///< "#17 of MNIST test"
  LogitGaussian all;        ///< of all K classes
  LogitGaussian likeliest;  ///< of the two or three likeliest classes
  QString explanation;      ///< which these are, and what is not known
};

/// The Gaussian over logits of the laboratory "The simplex", which other laboratories can take
/// over, and the one that was sent to them. GUI thread only.
class SharedGaussian : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  [[nodiscard]] const LogitGaussian& value() const { return value_; }
  void setValue(LogitGaussian value) {
    value_ = std::move(value);
    Q_EMIT changed();
  }
  /// Null: none yet.
  [[nodiscard]] const std::shared_ptr<const SentGaussian>& sent() const { return sent_; }
  void send(SentGaussian gaussian) {
    sent_ = std::make_shared<const SentGaussian>(std::move(gaussian));
  }

 Q_SIGNALS:
  void changed();

 private:
  std::shared_ptr<const SentGaussian> sent_;
  LogitGaussian value_ = gaussianPresets().front().make();
};

}  // namespace dubito

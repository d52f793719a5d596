// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/messages.h"

namespace dubito {

void Messages::report(const Error& error) {
  if (error.code != ErrorCode::kCancelled) {
    Q_EMIT failed(QString::fromStdString(error.message));
  }
}

}  // namespace dubito

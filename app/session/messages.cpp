// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/messages.h"

#include "app/session/error_text.h"

namespace dubito {

void Messages::report(const Error& error) {
  if (error.code != ErrorCode::kCancelled) {
    Q_EMIT failed(errorText(error));
  }
}

}  // namespace dubito

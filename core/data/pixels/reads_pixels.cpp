// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/pixels/reads_pixels.h"

namespace dubito {

bool readsPixels() {
  return true;
}

}  // namespace dubito

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace dubito {

/// How a label store is opened.
enum class StoreMode {
  kOpen,          ///< must exist
  kOpenOrCreate,  ///< created if absent
  kReadOnly,      ///< must exist; also works if neither the file nor its folder is writable
};

}  // namespace dubito

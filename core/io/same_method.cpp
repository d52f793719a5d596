// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/same_method.h"

namespace dubito {

bool sameNetwork(const RunMeta& a, const RunMeta& b) {
  return a.network_hash.empty() || b.network_hash.empty() ? a.model_name == b.model_name
                                                          : a.network_hash == b.network_hash;
}

bool sameMethod(const RunMeta& a, const RunMeta& b) {
  return a.method == b.method && sameNetwork(a, b) &&
         (a.method == "ensemble" || a.method_options == b.method_options);
}

}  // namespace dubito

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/run_names.h"

#include "app/session/session.h"
#include "core/analysis/run_names.h"

namespace dubito {

std::vector<std::string> givenNames(const Session& session) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < session.analyses().size(); ++i) {
    names.push_back(session.runLabel(i).name);
  }
  return names;
}

std::vector<std::string> runNames(const Session& session) {
  return distinctNames(session.analyses(), givenNames(session));
}

}  // namespace dubito

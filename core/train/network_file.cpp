// SPDX-License-Identifier: GPL-3.0-or-later
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/io/atomic_file.h"
#include "core/train/network_file_torch.h"

namespace dubito {

Status writeNetwork(torch::jit::Module& network, const nlohmann::json& metadata,
                    const std::string& path) {
  network.eval();
  network.to(at::kCPU);
  // By way of memory: a name given to torch would become part of the archive.
  std::ostringstream archive;
  network.save(archive, {{"metadata.json", metadata.dump(2)}});
  return writeFileAtomically(path, std::string_view(archive.view()));
}

}  // namespace dubito

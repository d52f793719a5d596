// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/item_hash.h"

#include "core/data/items/item_files.h"
#include "core/data/items/sample_hash.h"
#include "core/data/sources/file_fingerprint.h"
#include "core/review/formats/match_rows.h"

namespace dubito {

Expected<std::string> itemHash(const Dataset& dataset, std::int64_t index) {
  const std::string file = itemFile(dataset, index);
  if (file.empty()) {
    return dataset.read(index).map(sampleHash);
  }
  RunContext context;
  return fingerprintOf(file, context).map([](const FileFingerprint& fingerprint) {
    return std::string(kFileHash) + fingerprint.hash;
  });
}

}  // namespace dubito

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/item_lines.h"

#include "core/io/atomic_file.h"

namespace dubito {

Status writeItemLines(const std::string& path, const std::string& head, std::int64_t items,
                      const std::function<std::string(std::int64_t)>& line, RunContext& context) {
  auto file = AtomicFile::create(path);
  if (!file) {
    return failWith(file);
  }
  constexpr std::size_t kBlockBytes = std::size_t{1} << 16;
  std::string block = head + '\n';
  for (std::int64_t i = 0; i < items; ++i) {
    block += line(i) + '\n';
    if (block.size() < kBlockBytes) {
      continue;
    }
    if (Status written = file->write(block); !written) {
      return written;
    }
    block.clear();
    if (context.step("writing", i, items) == Step::kCancel) {
      return cancelled();
    }
  }
  if (Status written = file->write(block); !written) {
    return written;
  }
  return file->commit();
}

}  // namespace dubito

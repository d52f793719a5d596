// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/base/expected.h"
#include "core/base/run_context.h"

namespace dubito {

/// Writes a text file with one line per item: `head`, then `line(i)` for every item i. This
/// function adds the line breaks. The file is written block by block under a temporary name, then
/// renamed. kCancelled if the context is cancelled; no file is then created.
[[nodiscard]] Status writeItemLines(const std::string& path, const std::string& head,
                                    std::int64_t items,
                                    const std::function<std::string(std::int64_t)>& line,
                                    RunContext& context);

}  // namespace dubito

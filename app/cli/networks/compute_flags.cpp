// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/networks/compute_flags.h"

#include <algorithm>

#include "app/cli/command.h"
#include "app/cli/threads_flag.h"
#include "app/cli/whole_number.h"
#include "core/base/thread_count.h"

namespace dubito::cli {

void ComputeFlags::declare(CLI::App& app, bool with_seed) {
  app.add_option("--device", device, "compute device: cpu, cuda or cuda:N")->capture_default_str();
  declareThreads(app, threads);
  if (with_seed) {
    app.add_option("--seed", seed, "random seed")
        ->transform(wholeNumber<std::uint64_t>())
        ->capture_default_str();
  }
  app.add_option("--memory", memory.memory, memory.fields().front().info.help)
      ->capture_default_str();
  confine.declare(app);
}

Status ComputeFlags::apply(RunContext& context) const {
  const auto parsed = parseDevice(device);
  if (!parsed) {
    return usageError(parsed.error());
  }
  context.device = *parsed;
  context.threads = threadCount(threads);
  context.seed = seed;
  if (Status checked = memory.check(); !checked) {
    return usageError(checked.error());
  }
  context.memory_budget_bytes = memory.budget();
  if (context.ranks) {
    // Batches must be the same in all processes; processes on one machine share its memory.
    for (const std::string& text : context.ranks->gather(std::to_string(memory.budget()))) {
      context.memory_budget_bytes =
          std::min<std::int64_t>(context.memory_budget_bytes, std::stoll(text));
    }
    if (memory.memory == MemoryOptions{}.memory) {
      context.memory_budget_bytes /= context.ranks->size();
    }
  }
  return confine.apply(context);
}

}  // namespace dubito::cli

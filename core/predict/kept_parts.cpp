// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/kept_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/json_integer.h"

namespace dubito {

using nlohmann::json;

void describePart(const PartDetails& details, const RunMeta& meta, RunPart& part) {
  part.run.meta = meta;
  details.findings.writeTo(part.run.meta);
  const ContentHash& content = details.findings.content;
  part.details = json{{"identity", details.identity},
                      {"content_sum", content.sum()},
                      {"content_count", content.count()},
                      {"draws_differ", details.findings.draws_differ},
                      {"variance_tried", details.findings.variance_use.tried},
                      {"variance_seen", details.findings.variance_use.seen},
                      {"pass_bytes", details.pass_bytes},
                      {"probe", {{"index", details.probe.index}, {"hash", details.probe.hash}}}}
                     .dump(-1, ' ', false, json::error_handler_t::replace);
}

Expected<PartDetails> detailsOf(const RunPart& part) {
  PartDetails details;
  RunFindings& findings = details.findings;
  try {
    const json object = json::parse(part.details);
    readInto(object.at("identity"), details.identity);
    findings.content =
        ContentHash::continued(integerFrom<std::uint64_t>(object.at("content_sum")),
                               integerFrom<std::int64_t>(object.at("content_count")));
    readInto(object.at("draws_differ"), findings.draws_differ);
    readInto(object.at("variance_tried"), findings.variance_use.tried);
    readInto(object.at("variance_seen"), findings.variance_use.seen);
    readInto(object.at("pass_bytes"), details.pass_bytes);
    readInto(object.at("probe").at("index"), details.probe.index);
    readInto(object.at("probe").at("hash"), details.probe.hash);
  } catch (const json::exception& error) {
    return fail(ErrorCode::kMalformed, "a part has no valid record of its run; delete it",
                error.what());
  }
  const RunMeta& meta = part.run.meta;
  findings.items = part.run.itemCount();
  for (const MaskHash& mask : meta.mask_hashes) {
    findings.mask_hashes[{mask.site, mask.draw}] = mask.hash;
  }
  findings.skipped = meta.skipped;
  findings.timings = meta.timings;
  findings.label_fit.add(part.run);
  return details;
}

std::string firstDifference(const RunIdentity& was, const RunIdentity& wanted) {
  for (const auto& [name, value] : wanted) {
    const auto before = std::ranges::find(was, name, &RunIdentity::value_type::first);
    if (before == was.end() || before->second != value) {
      return fmt::format("{} is {}, not {}", name,
                         before == was.end() ? "not known" : before->second, value);
    }
  }
  return {};
}

}  // namespace dubito

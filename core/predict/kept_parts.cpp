// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/kept_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

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
    object.at("identity").get_to(details.identity);
    findings.content = ContentHash::continued(object.at("content_sum").get<std::uint64_t>(),
                                              object.at("content_count").get<std::int64_t>());
    object.at("draws_differ").get_to(findings.draws_differ);
    object.at("variance_tried").get_to(findings.variance_use.tried);
    object.at("variance_seen").get_to(findings.variance_use.seen);
    object.at("pass_bytes").get_to(details.pass_bytes);
    object.at("probe").at("index").get_to(details.probe.index);
    object.at("probe").at("hash").get_to(details.probe.hash);
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

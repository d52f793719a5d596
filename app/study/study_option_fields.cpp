// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/study/study_option_fields.h"

namespace dubito {

void loadOptions(const StudyJson& object, const std::vector<Field>& fields) {
  if (!object.is_object()) {
    return;
  }
  for (const Field& field : fields) {
    if (const auto found = object.find(field.info.name); found != object.end()) {
      static_cast<void>(
          fieldsFromJson({{field.info.name, nlohmann::json(*found)}}, std::vector<Field>{field}));
    }
  }
}

StudyJson storedOptions(StudyJson object, const std::vector<Field>& fields,
                        const std::vector<Field>& defaults) {
  if (!object.is_object()) {
    object = StudyJson::object();
  }
  const nlohmann::json values = fieldsToJson(fields);
  const nlohmann::json usual = fieldsToJson(defaults);
  for (const Field& field : fields) {
    const std::string& name = field.info.name;
    if (values.at(name) != usual.at(name) || object.contains(name)) {
      object[name] = StudyJson(values.at(name));
    }
  }
  return object;
}

}  // namespace dubito

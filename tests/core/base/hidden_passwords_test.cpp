// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hidden_passwords.h"

#include <gtest/gtest.h>

#include <string>

namespace dubito {
namespace {

std::string hidden(std::string text) {
  char* arguments[] = {text.data()};
  hidePasswords(1, arguments);
  return text;
}

TEST(HiddenPasswords, OverwritesThoseOfServers) {
  EXPECT_EQ(hidden("postgresql://anna:secret@host/labels"), "postgresql://anna:******@host/labels");
  EXPECT_EQ(hidden("labels:postgres://a:b:c@d@host:5432/x?y=1"),
            "labels:postgres://a:*****@host:5432/x?y=1");
  EXPECT_EQ(hidden("postgresql://host/x?user=a&password=abc&sslmode=require"),
            "postgresql://host/x?user=a&password=***&sslmode=require");
  EXPECT_EQ(hidden("--labels=postgresql://a:b@host?password=abc"),
            "--labels=postgresql://a:*@host?password=***");
}

TEST(HiddenPasswords, LeavesOtherArgumentsAlone) {
  for (const char* text :
       {"", "predict", "postgresql://host/x", "postgresql://anna@host:5432/x", "folder:/a/b:c@d",
        "postgres", "password=abc", "postgresql://host:5432/x?application_name=a@b"}) {
    EXPECT_EQ(hidden(text), text);
  }
}

}  // namespace
}  // namespace dubito

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/run_tests.h"

int main(int argc, char** argv) {
  return dubito::test::runTests(argc, argv);
}

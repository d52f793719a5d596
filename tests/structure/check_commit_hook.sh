#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# resources/git-hooks/commit-msg accepts and refuses what CONTRIBUTING.md says.
hook=$1
file=$(mktemp)
trap 'rm -f "$file"' EXIT
failed=0

expect() {  # status, message
  printf "$2" > "$file"
  "$hook" "$file" 2> /dev/null
  if [ $? -ne "$1" ]; then
    echo "expected $1: $2"
    failed=1
  fi
}

expect 0 'Fix the order of classes\n'
expect 0 'Fix the order of classes\n\nThey were sorted by name.\n'
expect 0 '# a comment of git\nAdd a page\n'
expect 0 "Merge branch 'a very long name of a branch that somebody has chosen without thinking of it'\n"
expect 0 'Show that a subject of just the right number of characters is acceptedxx\n'
expect 1 'Show that a subject of just the right number of characters is acceptedxxy\n'
expect 0 'Speed up reading\n'
expect 0 'Feed batches in order\n'
expect 0 'Embed the fonts\n'
expect 0 'Bring the window to the front\n'
expect 1 'Fix the order of classes.\n'
expect 1 'Fixing the order of classes\n'
expect 1 'Fixed the order of classes\n'
expect 1 'Freed the buffers\n'
expect 1 'Guaranteed the order\n'
expect 1 'Say the order of classes\n'
expect 1 'Mend the order of classes\n'
expect 1 'Fix the order of classes\nThey were sorted by name.\n'
expect 1 '\n'
exit $failed

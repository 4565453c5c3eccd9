#!/usr/bin/env bash
# Posts the comment of viva diff on a pull request, or puts it in place of the one that is there.
# Needs GH_TOKEN, REPOSITORY (owner/name) and PULL_REQUEST (a number).
set -euo pipefail
file=$1
comments="repos/$REPOSITORY/issues/$PULL_REQUEST/comments"
mine='.[] | select(.user.type == "Bot" and (.body | startswith("<!-- viva diff -->"))) | .id'
found=$(gh api --paginate "$comments" --jq "$mine" | head -n 1)
if [ -n "$found" ]; then
  gh api --method PATCH "repos/$REPOSITORY/issues/comments/$found" -F "body=@$file" > /dev/null
else
  gh api --method POST "$comments" -F "body=@$file" > /dev/null
fi

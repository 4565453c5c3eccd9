#!/bin/sh
# Counts the words of its argument; a text that begins with "-" comes behind "--".
[ "$1" = -- ] && shift
echo "words: $(printf '%s' "$1" | wc -w | tr -d ' ')"

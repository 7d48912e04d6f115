#!/bin/sh
# A scheduler of one machine: starts the job script $1 apart from its caller and prints a number.
echo "$1" >> "$(dirname "$0")/submitted"
setsid sh "$1" > /dev/null 2>&1 &
echo $!

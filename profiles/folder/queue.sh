#!/bin/sh
# A queue of jobs in a folder that several machines share, results/queue:
#   queue.sh submit SCRIPT   put a job there, print its number       (Snakemake calls it)
#   queue.sh status NUMBER   success, failed or running              (Snakemake calls it)
#   queue.sh work            do one job after another, on each machine that helps; Ctrl-C ends it
# A job is a file that is renamed as it goes on: waiting, running, success or failed. A rename
# succeeds for one machine alone. A machine touches the file of its job every five seconds; one that
# has been silent for QUEUE_SILENCE seconds, by default 60, is given up.
set -eu
queue=results/queue

submit() {
    mkdir -p "$queue"
    number=$(date +%s)-$$
    { echo "# in $PWD"; cat "$1"; } > "$queue/$number.new"
    mv "$queue/$number.new" "$queue/$number.waiting"
    echo "$number"
}

status() {
    for state in success failed; do
        [ ! -e "$queue/$1.$state" ] || { echo "$state"; return; }
    done
    silent=$(find "$queue" -name "$1.running" ! -newermt "-${QUEUE_SILENCE:-60} seconds")
    [ -z "$silent" ] && echo running || echo failed
}

work() {
    mkdir -p "$queue"
    echo "waiting for jobs in $PWD/$queue"
    while :; do
        for waiting in "$queue"/*.waiting; do
            job=${waiting%.waiting}
            ! mv "$waiting" "$job.running" 2> /dev/null || perform "$job"
        done
        sleep 1
    done
}

perform() {
    # A job names the working copy that it comes from; here it is this one.
    script=$(mktemp)
    sed "s|$(sed -n '1s/^# in //p' "$1.running")|$PWD|g" "$1.running" > "$script"
    echo "$(date +%T) begins ${1##*/}"
    while touch -c "$1.running" && sleep 5; do :; done &
    beating=$!
    trap 'kill "$beating"; exit 130' INT TERM
    sh "$script" < /dev/null && state=success || state=failed
    kill "$beating"
    trap - INT TERM
    mv "$1.running" "$1.$state"
    rm "$script"
    echo "$(date +%T) $state"
}

"$@"

#!/bin/sh
# A queue of jobs in a folder that several machines share, results/queue:
#   queue.sh work            do one job after another, on each machine that helps; Ctrl-C ends it
#   queue.sh submit SCRIPT   put a job there, print its number     (Snakemake calls these three)
#   queue.sh status NUMBER   print success, failed or running
#   queue.sh cancel NUMBER…  take jobs back
# A job is a file whose name changes: waiting, running, success or failed. A rename succeeds for one
# machine alone. The machine touches the file every five seconds. After QUEUE_SILENCE seconds without
# (60 by default, by the clock of the folder) the job is failed; a machine that finds its file gone ends
# the job.
set -eu
queue=results/queue
here=$(pwd -P)

refuse() {
    echo "$1" >&2
    exit 2
}

submit() {
    mkdir -p "$queue"
    number=$(date +%s)-$$
    { echo "# in $here"; cat "$1"; } > "$queue/$number.new"
    mv "$queue/$number.new" "$queue/$number.waiting"
    echo "$number"
}

status() {
    for look in 1 2; do # a second time, because a rename may fall between
        [ ! -e "$queue/$1.success" ] || { echo success; return; }
        [ ! -e "$queue/$1.failed" ] || { echo failed; return; }
        [ ! -e "$queue/$1.waiting" ] || { echo running; return; }
        if touched=$(stat -c %Y "$queue/$1.running" 2> /dev/null); then
            touch "$queue/now"
            if [ $(($(stat -c %Y "$queue/now") - touched)) -gt "${QUEUE_SILENCE:-60}" ]; then
                mv "$queue/$1.running" "$queue/$1.failed" 2> /dev/null || continue
                echo failed
            else
                echo running
            fi
            return
        fi
        sleep 1
    done
    echo failed
}

cancel() {
    for number; do
        for state in waiting running; do
            mv "$queue/$number.$state" "$queue/$number.failed" 2> /dev/null || true
        done
    done
}

work() {
    [ -x .venv/bin/snakemake ] || command -v snakemake > /dev/null ||
        refuse "$here: found no snakemake, wanted it in .venv or on the path"
    mkdir -p "$queue"
    echo "waiting for jobs in $here/$queue"
    stop=
    trap 'stop=1' HUP INT TERM
    while [ -z "$stop" ]; do
        for waiting in "$queue"/*.waiting; do
            [ -z "$stop" ] || break
            job=${waiting%.waiting}
            touch -c "$waiting" # or it would look silent, having waited so long
            ! mv "$waiting" "$job.running" 2> /dev/null || perform
        done
        [ -n "$stop" ] || sleep 1 || true
    done
    exit 130
}

end() { # the job with all that it started; before it has a session of its own, itself
    kill -9 "-$1" 2> /dev/null || kill -9 "$1" 2> /dev/null || true
}

perform() {
    # A job names the working copy that it comes from; here it is this one.
    text=$(cat "$job.running" 2> /dev/null) || return 0 # taken back already
    from=$(printf '%s\n' "$text" | sed -n '1s/^# in //p' | sed 's/\./\\./g')
    script=$(mktemp)
    printf '%s\n' "$text" | sed "s|$from\([/' ]\)|$here\1|g; s|$from\$|$here|" > "$script"
    echo "$(date +%T) begins ${job##*/}"
    setsid sh "$script" < /dev/null &
    pid=$!
    while sleep 5; do # ends with this worker, with the job, or where the job was given up
        kill -0 $$ 2> /dev/null && [ -e "$job.running" ] && touch -c "$job.running" && continue
        end "$pid"
        break
    done &
    beating=$!
    state=failed
    if [ -z "$stop" ] && wait "$pid"; then
        state=success
    elif [ -n "$stop" ]; then # a signal ended the wait
        end "$pid"
        state=waiting # for another
    fi
    kill "$beating" 2> /dev/null || true
    rm "$script"
    mv "$job.running" "$job.$state" 2> /dev/null || state="given up"
    echo "$(date +%T) $state"
}

case "$here" in
*[!A-Za-z0-9/._+@-]*) refuse "$here: found other characters than A-Z a-z 0-9 / . _ + @ - in the path; move it" ;;
esac
"$@"

#!/bin/sh
# A Slurm of two nodes on this machine, for tests/workflow/test_cluster.py: Debian, as root, after
# `apt-get install slurm-wlm munge`. Nothing survives a restart. `local_slurm.sh stop` ends it;
# `local_slurm.sh kill NODE` lets a node die with all that runs on it, `revive NODE` brings it back.
set -eu
place=/tmp/local-slurm
host=$(hostname -s)
case "${1:-start}" in
stop)
    for file in $place/*.pid; do
        [ ! -f "$file" ] || kill "$(cat "$file")" 2> /dev/null || true
    done
    exit 0
    ;;
kill)
    kill -9 "$(cat $place/slurmd-"$2".pid)"
    # All sessions with a process of a job of this node: the job, and the daemon that watches it.
    for environment in $(grep -lz "^SLURMD_NODENAME=$2\$" /proc/[0-9]*/environ 2> /dev/null); do
        pid=${environment#/proc/} pid=${pid%/environ}
        pkill -9 -s "$(ps -o sid= -p "$pid" | tr -d ' ')" || true
    done
    exit 0
    ;;
revive)
    slurmd -N "$2"
    exit 0
    ;;
esac

if [ -e /etc/slurm/slurm.conf ] && ! grep -q "^StateSaveLocation=$place/" /etc/slurm/slurm.conf; then
    echo "/etc/slurm/slurm.conf: found another Slurm, wanted none" >&2
    exit 1
fi
mkdir -p $place/state $place/spool-near $place/spool-far /etc/slurm /run/munge
cat > /etc/slurm/slurm.conf << CONF
ClusterName=local
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
StateSaveLocation=$place/state
SlurmdSpoolDir=$place/spool-%n
SlurmctldPidFile=$place/slurmctld.pid
SlurmdPidFile=$place/slurmd-%n.pid
SlurmctldLogFile=$place/slurmctld.log
SlurmdLogFile=$place/slurmd-%n.log
SlurmdTimeout=10
JobRequeue=0
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=near NodeHostname=$host NodeAddr=127.0.0.1 Port=17011 CPUs=1 RealMemory=4100 State=UNKNOWN
NodeName=far NodeHostname=$host NodeAddr=127.0.0.1 Port=17012 CPUs=1 RealMemory=4100 State=UNKNOWN
PartitionName=all Nodes=near,far Default=YES MaxTime=INFINITE State=UP
CONF
[ -f /etc/munge/munge.key ] || dd if=/dev/urandom of=/etc/munge/munge.key bs=1 count=1024 2> /dev/null
chown -R munge: /etc/munge /run/munge && chmod 400 /etc/munge/munge.key
install -d -o munge $place/munge
su -s /bin/sh munge -c "munged --force --pid-file=$place/munge/munged.pid --log-file=$place/munge/munged.log"
cp $place/munge/munged.pid $place/munged.pid
slurmctld
slurmd -N near
slurmd -N far
for i in 1 2 3 4 5 6 7 8 9 10; do
    if [ "$(timeout 5 sinfo -h -N -o %T | grep -c idle)" = 2 ]; then
        sinfo -N
        exit 0
    fi
    sleep 1
done
exit 1

#!/bin/sh
# A Slurm of one machine, for tests/workflow/test_cluster.py: Debian, as root, after
# `apt-get install slurm-wlm munge`. Nothing survives a restart; `local_slurm.sh stop` ends it.
set -eu
place=/tmp/local-slurm
if [ "${1:-start}" = stop ]; then
    for name in slurmd slurmctld munged; do
        [ ! -f $place/$name.pid ] || kill "$(cat $place/$name.pid)" || true
    done
    exit 0
fi
mkdir -p $place/state $place/spool /etc/slurm /run/munge
cat > /etc/slurm/slurm.conf << CONF
ClusterName=local
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
StateSaveLocation=$place/state
SlurmdSpoolDir=$place/spool
SlurmctldPidFile=$place/slurmctld.pid
SlurmdPidFile=$place/slurmd.pid
SlurmctldLogFile=$place/slurmctld.log
SlurmdLogFile=$place/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=$(free -m | awk '/^Mem/ {print $2 - 500}') State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
[ -f /etc/munge/munge.key ] || dd if=/dev/urandom of=/etc/munge/munge.key bs=1 count=1024 2> /dev/null
chown -R munge: /etc/munge /run/munge && chmod 400 /etc/munge/munge.key
install -d -o munge $place/munge
su -s /bin/sh munge -c "munged --force --pid-file=$place/munge/munged.pid --log-file=$place/munge/munged.log"
cp $place/munge/munged.pid $place/munged.pid
slurmctld
slurmd
for i in 1 2 3 4 5 6 7 8 9 10; do
    sinfo -h -o %T | grep -q idle && break
    sleep 1
done
sinfo

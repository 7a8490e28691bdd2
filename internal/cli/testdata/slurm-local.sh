#!/usr/bin/env bash
# slurm-local.sh up|down DIR PORT: a private Slurm of two nodes, n1 and n2, with
# two cores each, on this machine's loopback, from Debian's slurmctld, slurmd,
# slurm-client and munge. Its configuration is DIR/slurm.conf; it takes the ports
# PORT to PORT+2.
set -euo pipefail
verb=$1 dir=$2 port=$3
export SLURM_CONF=$dir/slurm.conf

configure() {
  local host; host=$(hostname -s)
  cat <<CONF
ClusterName=local
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$dir/munge/socket
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool.%n
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.%n.pid
SlurmctldLogFile=$dir/log/slurmctld.log
SlurmdLogFile=$dir/log/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SwitchType=switch/none
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=1,batch_sched_delay=0,sched_min_interval=0
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
ReturnToService=2
RequeueExit=75
KillWait=5
SlurmctldTimeout=30
SlurmdTimeout=15
CONF
  for i in 1 2; do
    echo "NodeName=n$i NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + i)) CPUs=2 Boards=1 SocketsPerBoard=1 CoresPerSocket=2 ThreadsPerCore=1 RealMemory=2000 State=UNKNOWN"
  done
  echo "PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP"
}

up() {
  mkdir -p "$dir"/{state,log,munge}
  chmod 755 "$dir" "$dir/munge"
  configure > "$SLURM_CONF"
  (umask 077 && head -c 1024 /dev/urandom > "$dir/munge/key")
  munged --force --key-file="$dir/munge/key" --socket="$dir/munge/socket" --pid-file="$dir/munged.pid" \
    --log-file="$dir/munge/log" --seed-file="$dir/munge/seed" --num-threads=2
  slurmctld -f "$SLURM_CONF"
  for i in 1 2; do slurmd -f "$SLURM_CONF" -N "n$i"; done
  for _ in $(seq 600); do
    [ "$(sinfo -h -N -o %T 2>/dev/null | grep -c '^idle$')" = 2 ] && return
    sleep 0.1
  done
  echo "the nodes did not become idle in a minute" >&2
  sinfo -N -l >&2 || true
  return 1
}

# down ends the daemons by their own process ids.
down() {
  scontrol shutdown > /dev/null 2>&1 || true
  for file in "$dir"/slurmctld.pid "$dir"/slurmd.*.pid "$dir"/munged.pid; do
    [ -s "$file" ] || continue
    pid=$(cat "$file")
    [ "$file" != "$dir/munged.pid" ] || kill "$pid" 2>/dev/null || true
    for _ in $(seq 100); do kill -0 "$pid" 2>/dev/null || continue 2; sleep 0.05; done
    kill -9 "$pid" 2>/dev/null || true
  done
}

"$verb"

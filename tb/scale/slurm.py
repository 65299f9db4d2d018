# SPDX-License-Identifier: Apache-2.0
"""A Slurm of one machine, in a directory of its own, without systemd: munged, slurmctld and slurmd, ended with the `with`."""

import contextlib
import os
import pathlib
import socket
import subprocess

from suite import until

CONFIGURATION = """\
ClusterName=annelid
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
AuthType=auth/munge
AuthInfo=socket={room}/munge.socket
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
KillWait=2
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0
PlugStackConfig=/dev/null
StateSaveLocation={room}/state
SlurmdSpoolDir={room}/spool
SlurmctldPidFile={room}/slurmctld.pid
SlurmdPidFile={room}/slurmd.pid
SlurmctldLogFile={room}/slurmctld.log
SlurmdLogFile={room}/slurmd.log
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory=2000
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


def must(*words, **options):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True, **options).stdout


@contextlib.contextmanager
def slurm(room, cpus=2):
    """Yields the environment in which srun, squeue and scancel know this Slurm. room must be a short absolute path, whose
    folders everyone may enter."""
    room = pathlib.Path(room)
    for name in ("state", "spool"):
        (room / name).mkdir(parents=True)
    host = socket.gethostname().partition(".")[0]
    user = must("id", "-un").strip()
    configuration = room / "slurm.conf"
    configuration.write_text(CONFIGURATION.format(room=room, host=host, user=user, cpus=cpus, ports=free_ports(2)))
    path = f"{os.environ['PATH']}:/usr/sbin:/sbin"  # daemons are there, which the path of a user may lack
    environment = {**os.environ, "PATH": path, "SLURM_CONF": str(configuration)}
    must("mungekey", "--create", f"--keyfile={room}/munge.key", env=environment)
    with contextlib.ExitStack() as ends:
        must("munged", f"--key-file={room}/munge.key", f"--socket={room}/munge.socket", f"--pid-file={room}/munge.pid",
             f"--log-file={room}/munge.log", f"--seed-file={room}/munge.seed", "--num-threads=10", env=environment)
        ends.callback(end, room / "munge.pid")
        must("slurmctld", "-f", configuration, env=environment)
        ends.callback(end, room / "slurmctld.pid")
        must("slurmd", "-f", configuration, "-N", host, env=environment)
        ends.callback(end, room / "slurmd.pid")
        until(lambda: "idle" in must("sinfo", "-h", "-o", "%t", env=environment), "a node that is idle")
        yield environment


def end(pid):
    """Ends a daemon, and waits for its end."""
    number = int(pid.read_text())
    with contextlib.suppress(ProcessLookupError):
        os.kill(number, 15)
        until(lambda: not pathlib.Path(f"/proc/{number}").exists(), f"the end of process {number}")

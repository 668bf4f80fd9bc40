"""A real Slurm of one node on loopback, and copies of the workflow to run on it."""

import contextlib
import importlib.util
import os
import secrets
import shutil
import socket
import stat
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from filelock import FileLock

# Clients inside jobs look nowhere else: Snakemake's plugin takes SLURM_CONF out of their environment.
CONFIG_LINK = Path("/etc/slurm/slurm.conf")
FOLDER_PREFIX = "sinobench-slurm-"
PROGRAMS = ("munged", "slurmctld", "slurmd", "sinfo", "squeue", "sbatch", "srun", "scancel", "scontrol")
PLUGINS = ("snakemake_executor_plugin_slurm", "snakemake_executor_plugin_cluster_generic")

# No accounting database and no cgroups. Cores are declared, not checked: what the groups of jobs ask for. A job that
# takes more memory than it asked for, by what /proc tells each second, is killed.
# cred_expire: a job whose node failed waits that long, and not two minutes, to start again.
# MinJobAge: squeue must remember the end of a job until Snakemake asks.
SLURM_CONF = """\
ClusterName=test
SlurmctldHost=localhost(127.0.0.1)
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket,cred_expire=5
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=UsePss,OverMemoryKill
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,sched_min_interval=10000,bf_interval=1
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
ReturnToService=2
KillWait=5
MinJobAge=600
SlurmctldPort={controller_port}
SlurmdPort={node_port}
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmdParameters=config_overrides
NodeName=localhost NodeHostname={host} NodeAddr=127.0.0.1 CPUs=64 RealMemory=500000 Gres=gpu:2 State=UNKNOWN
PartitionName=debug Nodes=localhost Default=YES MaxTime=INFINITE State=UP
"""
# Two GPUs that are none: Slurm counts device files, and tells a job by CUDA_VISIBLE_DEVICES which are its own.
GRES_CONF = "NodeName=localhost Name=gpu File={folder}/gpu[0-1] Flags=nvidia_gpu_env\n"


class Slurm:
    """A running Slurm; ``folder`` has its configuration and logs."""

    def __init__(self, folder: Path) -> None:
        self._controller, self.folder = None, folder

    def start_controller(self, *options: str) -> None:
        self._controller = _start(self.folder, ["slurmctld", "-D", "-f", f"{self.folder}/slurm.conf", *options])

    def stop_controller(self) -> None:
        _stop(self._controller)

    def fail_node(self) -> None:
        """Set the node down, which ends its jobs; it comes back as soon as it reports itself."""
        _output("scontrol", "update", "nodename=localhost", "state=down", "reason=test")
        _wait_for(lambda: not _output("squeue", "-h", "-t", "running"), self.folder)
        # Refused where it is back already.
        _output("scontrol", "update", "nodename=localhost", "state=resume")


@pytest.fixture(scope="module")
def slurm(tmp_path_factory) -> Iterator[Slurm]:
    """A running Slurm, one at a time; skips where it can't be started."""
    if absent := [program for program in PROGRAMS if not shutil.which(program)]:
        pytest.skip(f"needs {', '.join(absent)}: apt-get install slurm-wlm munge")
    if absent := [plugin for plugin in PLUGINS if not importlib.util.find_spec(plugin)]:
        pytest.skip(f"needs pip install {' '.join(absent).replace('_', '-')}")
    if os.geteuid() != 0:
        pytest.skip("needs root: slurmd starts jobs as their user, and clients read /etc/slurm/slurm.conf")
    with contextlib.ExitStack() as stack:
        base = tmp_path_factory.getbasetemp()
        stack.enter_context(FileLock((base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / "slurm.lock"))
        if CONFIG_LINK.is_symlink() and _is_leftover(CONFIG_LINK):
            CONFIG_LINK.unlink()
        if CONFIG_LINK.is_symlink() or CONFIG_LINK.exists():
            pytest.skip(f"{CONFIG_LINK} exists: this machine has a Slurm already, or runs these tests just now")
        # Not pytest's tmp_path: munged wants a socket that every user can reach.
        folder = Path(tempfile.mkdtemp(prefix=f"{FOLDER_PREFIX}{os.getpid()}-"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        folder.chmod(0o755)
        _write_configuration(folder)
        CONFIG_LINK.symlink_to(folder / "slurm.conf")
        stack.callback(CONFIG_LINK.unlink)
        munge = [f"--{name}={folder}/munge/{name}" for name in ("key-file", "socket", "pid-file", "seed-file")]
        stack.callback(_stop, _start(folder, ["munged", "--foreground", *munge]))
        _wait_for((folder / "munge/socket").exists, folder)
        running = Slurm(folder)
        running.start_controller()
        stack.callback(running.stop_controller)
        stack.callback(_stop, _start(folder, ["slurmd", "-D", "-f", f"{folder}/slurm.conf"]))
        _wait_for(lambda: _output("sinfo", "-h", "-o", "%T") == "idle", folder)
        stack.callback(_end_jobs, folder)
        yield running


def _is_leftover(link: Path) -> bool:
    """Whether the link was made by a run of this test that is no more."""
    name = link.readlink().parent.name
    return name.startswith(FOLDER_PREFIX) and not Path("/proc", name.removeprefix(FOLDER_PREFIX).split("-")[0]).exists()


def _write_configuration(folder: Path) -> None:
    for name in ("munge", "state", "spool"):
        (folder / name).mkdir(mode=0o755)
    key = folder / "munge/key-file"
    key.write_bytes(secrets.token_bytes(128))
    key.chmod(0o400)
    controller_port, node_port = _free_ports(2)
    names = {"controller_port": controller_port, "node_port": node_port}
    host = socket.gethostname().split(".")[0]
    (folder / "slurm.conf").write_text(SLURM_CONF.format(folder=folder, host=host, **names), encoding="utf-8")
    (folder / "gres.conf").write_text(GRES_CONF.format(folder=folder), encoding="utf-8")
    for i in range(2):
        os.mknod(folder / f"gpu{i}", stat.S_IFCHR, Path("/dev/null").stat().st_rdev)


def _free_ports(n: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(n)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def _start(folder: Path, command: list[str]) -> subprocess.Popen:
    """Start a daemon as a child of this process, its log in the folder."""
    with open(folder / f"{command[0]}.log", "ab") as log:
        # If pytest is killed outright, the kernel ends the daemon.
        guarded = ["setpriv", "--pdeathsig", "TERM", *command]
        return subprocess.Popen(guarded, stdin=subprocess.DEVNULL, stdout=log, stderr=log)


def _stop(process: subprocess.Popen) -> None:
    process.terminate()
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _end_jobs(folder: Path) -> None:
    """End what a failed test left running: jobs outlive slurmd."""
    subprocess.run(["scancel", "--partition=debug"], check=False, timeout=30)
    _wait_for(lambda: _output("squeue", "-h") == "", folder)


def _output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=30).stdout.strip()


def _wait_for(condition: Callable[[], bool], folder: Path, timeout_s: float = 30) -> None:
    deadline = time.monotonic() + timeout_s
    while not condition():
        if time.monotonic() > deadline:
            logs = [f"{log.name}: {log.read_text(errors='replace')[-2000:]}" for log in folder.glob("*.log")]
            raise TimeoutError("\n".join([f"Slurm did not answer as it should within {timeout_s} s", *logs]))
        time.sleep(0.1)

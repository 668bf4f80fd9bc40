#!/bin/sh
# Prints `running`, `success` or `failed` for one Slurm job id, as Snakemake's cluster-generic executor expects.
#
# squeue knows a job until MinJobAge seconds (300 by default) after its end; later only accounting does, where a site has
# it. A job that neither knows counts as failed: its outputs are made again, never taken on trust. A controller that
# does not answer says nothing about the job: it counts as running, and the next check asks again. One that stops
# answering meanwhile has squeue print a message beside the state.

job=$1

said=$(squeue --noheader --states=all --jobs="$job" --format=%T 2>&1)
state=
IFS='
'
for line in $said; do
    case $line in
    *[!A-Z_]*) ;;
    *) state=$line ;;
    esac
done
if [ -z "$state" ]; then
    case $said in
    "" | *"Invalid job id"*)
        if command -v sacct >/dev/null; then
            state=$(sacct --noheader --parsable2 --allocations --jobs="$job" --format=State 2>/dev/null)
        fi
        ;;
    *)
        echo "$said" >&2
        echo running
        exit
        ;;
    esac
fi

case $state in
COMPLETED) echo success ;;
# A requeued job keeps its id and goes back to PENDING.
PENDING | CONFIGURING | RUNNING | COMPLETING | STAGE_OUT | SIGNALING | STOPPED | SUSPENDED | RESIZING | REQUEUE*)
    echo running
    ;;
*)
    echo "job $job: ${state:-unknown to squeue and sacct}" >&2
    echo failed
    ;;
esac

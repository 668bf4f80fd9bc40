#!/bin/sh
# Submits a job by sbatch, which prints its number. While the controller can't be reached it tries again, for some ten
# minutes. Any other refusal ends at once, and so does an answer that came too late: the job may be in the queue.

n_tries=40
until { said=$(sbatch --parsable "$@" 2>&1 >&3); } 3>&1; do
    echo "$said" >&2
    n_tries=$((n_tries - 1))
    case $said in
    *"Unable to contact slurm controller"*) [ "$n_tries" -gt 0 ] || exit 1 ;;
    *) exit 1 ;;
    esac
    sleep 5
done
[ -z "$said" ] || echo "$said" >&2

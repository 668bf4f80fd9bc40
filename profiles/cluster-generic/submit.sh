#!/bin/sh
# Submits a job by sbatch, which prints its number. While the controller can't be reached it tries again, for some ten
# minutes. Any other refusal ends at once, and so does an answer that came too late: the job may be in the queue.
# What it says of a job that is in the queue in the end has no word of a failure, by which the plugin for Slurm looks.

n_tries=40
script=
case $* in
*/dev/stdin) script=$(cat) ;; # it can be read once
esac
until { said=$(printf '%s\n' "$script" | sbatch --parsable "$@" 2>&1 >&3); } 3>&1; do
    n_tries=$((n_tries - 1))
    case $said in
    *"Unable to contact slurm controller"*) ;;
    *) n_tries=0 ;;
    esac
    if [ "$n_tries" -le 0 ]; then
        echo "$said" >&2
        exit 1
    fi
    echo "The controller of Slurm does not answer: trying again." >&2
    sleep 5
done
[ -z "$said" ] || echo "$said" >&2

#!/bin/sh
# Binds a folder of characters on a SLURM cluster, one task a shard:
#   sbatch --array=1-64 farm/slurm.sh characters bound [OPTIONS OF ligament batch]
# A task that was killed is submitted again as it is: what its shard has done is skipped.
#SBATCH --job-name=ligament
#SBATCH --cpus-per-task=4
#SBATCH --mem=16G
set -u
inputs=$1
outputs=$2
shift 2
"${LIGAMENT:-ligament}" batch "$inputs" -o "$outputs" --jobs "${SLURM_CPUS_PER_TASK:-1}" \
    --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" "$@"
# Assets that failed are in quarantine and no fault of the task.
[ $? -le 1 ]

"""Runs what `usdchecker` runs over files: all validators of USD.

Prints one line for each complaint and exits with 1 if there is any."""
import sys

from pxr import Usd, UsdValidation

complaints = []
validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
assert len(validators) >= 25
for path in sys.argv[1:]:
    stage = Usd.Stage.Open(path)
    for error in UsdValidation.ValidationContext(validators).Validate(stage):
        complaints.append(f"{path}: {error.GetName()}: {error.GetMessage()}")
print(f"CHECKED {len(sys.argv) - 1}")
for complaint in complaints:
    print(complaint)
sys.exit(1 if complaints else 0)

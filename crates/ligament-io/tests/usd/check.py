"""Runs what `usdchecker` runs over files: the compliance checker and all validators.

Prints one line for each complaint and exits with 1 if there is any."""
import sys

from pxr import Usd, UsdUtils, UsdValidation

complaints = []
for path in sys.argv[1:]:
    checker = UsdUtils.ComplianceChecker(arkit=False, skipARKitRootLayerCheck=False, rootPackageOnly=False,
                                         skipVariants=False, verbose=False)
    checker.CheckCompliance(path)
    for kind, found in [("error", checker.GetErrors()), ("failed check", checker.GetFailedChecks()),
                        ("warning", checker.GetWarnings())]:
        complaints += [f"{path}: {kind}: {f}" for f in found]
    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    stage = Usd.Stage.Open(path)
    for error in UsdValidation.ValidationContext(validators).Validate(stage):
        complaints.append(f"{path}: {error.GetName()}: {error.GetMessage()}")
print(f"CHECKED {len(sys.argv) - 1}")
for complaint in complaints:
    print(complaint)
sys.exit(1 if complaints else 0)

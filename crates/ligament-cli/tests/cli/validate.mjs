// node validate.mjs TOOLS FILE...: a JSON line for each file with the Khronos validator's
// errors and warnings, counted by code.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [tools, ...files] = process.argv.slice(2);
const validator = createRequire(join(tools, "index.js"))("gltf-validator");
for (const file of files) {
  const report = await validator.validateBytes(new Uint8Array(readFileSync(file)), {
    maxIssues: 0,
    externalResourceFunction: () => Promise.reject("outside"),
  });
  const counts = {};
  for (const { code, severity } of report.issues.messages) {
    if (severity < 2) counts[code] = (counts[code] ?? 0) + 1;
  }
  console.log(JSON.stringify({ errors: report.issues.numErrors, warnings: report.issues.numWarnings, counts }));
}

// node draco.mjs TOOLS METHOD IN COMPRESSED PLAIN: compresses IN with Google's Draco encoder,
// and writes what Google's decoder makes of that without compression.
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [tools, method, input, compressed, plain] = process.argv.slice(2);
const { resolve } = createRequire(join(tools, "index.js"));
const load = (name) => import(pathToFileURL(resolve(name)));
const { Logger, NodeIO } = await load("@gltf-transform/core");
const { ALL_EXTENSIONS } = await load("@gltf-transform/extensions");
const { draco } = await load("@gltf-transform/functions");
const { default: draco3d } = await load("draco3d");

const io = new NodeIO()
  .setLogger(new Logger(Logger.Verbosity.ERROR))
  .registerExtensions(ALL_EXTENSIONS)
  .registerDependencies({
    "draco3d.decoder": await draco3d.createDecoderModule(),
    "draco3d.encoder": await draco3d.createEncoderModule(),
  });
const document = await io.read(input);
await document.transform(draco({ method }));
await io.write(compressed, document);
const again = await io.read(compressed);
for (const extension of again.getRoot().listExtensionsUsed()) {
  if (extension.extensionName === "KHR_draco_mesh_compression") extension.dispose();
}
await io.write(plain, again);

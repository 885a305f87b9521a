// node vrm.mjs TOOLS FILE: opens a VRM with three-vrm. Prints JSON: its name, its bones, whether every bone hangs on the bone that
// it belongs to, where the hands are seen from the shoulders at rest, and where the left hand goes when its upper arm is turned.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [tools, file] = process.argv.slice(2);
const from = (path) => import(pathToFileURL(join(tools, "node_modules", path)).href);
globalThis.self = globalThis;
const THREE = await from("three/build/three.module.js");
const { GLTFLoader } = await from("three/examples/jsm/loaders/GLTFLoader.js");
const { VRMLoaderPlugin } = await from("@pixiv/three-vrm/lib/three-vrm.module.js");

// Images need a browser and are no matter here.
const bytes = readFileSync(file);
const length = bytes.readUInt32LE(12);
const json = JSON.parse(bytes.subarray(20, 20 + length).toString("utf8"));
for (const key of ["materials", "textures", "images", "samplers"]) delete json[key];
for (const mesh of json.meshes ?? []) for (const primitive of mesh.primitives) delete primitive.material;
let text = Buffer.from(JSON.stringify(json));
text = Buffer.concat([text, Buffer.alloc(-text.length & 3, 0x20)]);
const head = Buffer.alloc(20);
head.write("glTF", 0);
head.writeUInt32LE(2, 4);
head.writeUInt32LE(text.length, 12);
head.writeUInt32LE(0x4e4f534a, 16);
const glb = Buffer.concat([head, text, bytes.subarray(20 + length)]);
glb.writeUInt32LE(glb.length, 8);

const loader = new GLTFLoader();
loader.register((parser) => new VRMLoaderPlugin(parser));
const gltf = await loader.parseAsync(glb.buffer.slice(glb.byteOffset, glb.byteOffset + glb.length), "");
const { vrm } = gltf.userData;
const place = (bone) => {
  vrm.scene.updateMatrixWorld(true);
  return new THREE.Vector3().setFromMatrixPosition(vrm.humanoid.getRawBoneNode(bone).matrixWorld);
};
const reach = (side) => place(`${side}Hand`).sub(place(`${side}UpperArm`)).normalize().toArray();
const bones = Object.keys(vrm.humanoid.humanBones);
const rest = { left: reach("left"), right: reach("right") };
vrm.humanoid.getNormalizedBoneNode("leftUpperArm").rotation.z = -Math.PI / 2;
vrm.update(0);
console.log(JSON.stringify({ name: vrm.meta.name, version: vrm.meta.metaVersion, bones, rest, hanging: reach("left") }));

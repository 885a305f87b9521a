// node three_pose.mjs TOOLS FILE REQUEST: poses a GLB's skinned meshes with three.js.
// REQUEST is JSON: [[clip index, seconds], …]. Prints JSON: for each request, for each
// skinned primitive in order of node and primitive, its posed positions as a flat list.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [tools, file, request] = process.argv.slice(2);
const from = (path) => import(pathToFileURL(join(tools, "node_modules/three", path)).href);
const THREE = await from("build/three.module.js");
const { GLTFLoader } = await from("examples/jsm/loaders/GLTFLoader.js");

// Materials and their images need a browser and do not move vertices: take them out.
function withoutMaterials(bytes) {
  const length = bytes.readUInt32LE(12);
  const json = JSON.parse(bytes.subarray(20, 20 + length).toString("utf8"));
  for (const key of ["materials", "textures", "images", "samplers"]) delete json[key];
  for (const mesh of json.meshes ?? []) for (const primitive of mesh.primitives) delete primitive.material;
  for (const key of ["extensionsUsed", "extensionsRequired", "extensions"]) delete json[key];
  let text = Buffer.from(JSON.stringify(json));
  text = Buffer.concat([text, Buffer.alloc(-text.length & 3, 0x20)]);
  const head = Buffer.alloc(20);
  head.write("glTF", 0);
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(text.length, 12);
  head.writeUInt32LE(0x4e4f534a, 16);
  const out = Buffer.concat([head, text, bytes.subarray(20 + length)]);
  out.writeUInt32LE(out.length, 8);
  return out.buffer.slice(out.byteOffset, out.byteOffset + out.length);
}

globalThis.self = globalThis;
const loader = new GLTFLoader();
const gltf = await loader.parseAsync(withoutMaterials(readFileSync(file)), "");
const meshes = [];
gltf.scene.traverse((object) => {
  if (!object.isSkinnedMesh) return;
  const { meshes: mesh, primitives } = gltf.parser.associations.get(object);
  // A mesh of several primitives becomes a group: its node is the group's.
  let node = gltf.parser.associations.get(object)?.nodes;
  for (let up = object; node === undefined && up; up = up.parent) node = gltf.parser.associations.get(up)?.nodes;
  meshes.push({ node, mesh, primitive: primitives ?? 0, object });
});
meshes.sort((a, b) => a.node - b.node || a.primitive - b.primitive);

const result = JSON.parse(request).map(([clip, seconds]) => {
  const mixer = new THREE.AnimationMixer(gltf.scene);
  const action = mixer.clipAction(gltf.animations[clip]);
  action.setLoop(THREE.LoopOnce);
  action.clampWhenFinished = true;
  action.play();
  mixer.setTime(seconds);
  gltf.scene.updateMatrixWorld(true);
  const posed = meshes.map(({ object }) => {
    object.skeleton.update();
    const count = object.geometry.attributes.position.count;
    const at = new THREE.Vector3();
    const flat = [];
    for (let i = 0; i < count; i++) {
      at.fromBufferAttribute(object.geometry.attributes.position, i);
      object.applyBoneTransform(i, at);
      at.applyMatrix4(object.matrixWorld);
      flat.push(at.x, at.y, at.z);
    }
    return flat;
  });
  mixer.stopAllAction();
  return posed;
});
console.log(JSON.stringify(result));

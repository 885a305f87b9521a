// A faint grid under the feet that fades away.

import * as THREE from 'three';

export class Ground {
  readonly mesh: THREE.Mesh;
  private readonly material: THREE.ShaderMaterial;

  constructor() {
    this.material = new THREE.ShaderMaterial({
      transparent: true,
      depthWrite: false,
      side: THREE.DoubleSide,
      uniforms: {
        tint: { value: new THREE.Color('#8090a8') },
        cell: { value: 0.25 },
        reach: { value: 2 },
      },
      vertexShader: /* glsl */ `
        varying vec2 vPlace;
        void main() {
          vPlace = position.xy;
          gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
        }`,
      fragmentShader: /* glsl */ `
        uniform vec3 tint;
        uniform float cell;
        uniform float reach;
        varying vec2 vPlace;
        float lines(float size) {
          vec2 at = vPlace / size;
          vec2 away = abs(fract(at - 0.5) - 0.5) / fwidth(at);
          return 1.0 - min(1.0, min(away.x, away.y));
        }
        void main() {
          float strength = 0.20 * lines(cell) + 0.26 * lines(4.0 * cell);
          float fade = 1.0 - smoothstep(0.3 * reach, reach, length(vPlace));
          gl_FragColor = vec4(tint, strength * fade);
        }`,
    });
    this.mesh = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), this.material);
    this.mesh.rotation.x = -Math.PI / 2;
    this.mesh.renderOrder = -1;
  }

  fit(box: THREE.Box3): void {
    const size = box.getSize(new THREE.Vector3());
    const reach = 1.3 * Math.max(size.x, size.y, size.z);
    // A round number of cells, whatever the unit.
    const cell = 10 ** Math.floor(Math.log10(reach / 4)) * 1;
    const centre = box.getCenter(new THREE.Vector3());
    this.mesh.geometry.dispose();
    this.mesh.geometry = new THREE.PlaneGeometry(2 * reach, 2 * reach);
    this.mesh.position.set(centre.x, box.min.y, centre.z);
    this.material.uniforms.cell.value = reach / cell > 16 ? 2.5 * cell : cell;
    this.material.uniforms.reach.value = reach;
  }

  tint(color: string): void {
    (this.material.uniforms.tint.value as THREE.Color).set(color).convertLinearToSRGB();
  }
}

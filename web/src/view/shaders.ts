// How the skin is posed and coloured on the GPU.
//
// Weights lie in an integer texture that is read by the number of the vertex: two texels of four words, each word a joint
// (upper half) and its share of 65535 (lower half). Joints' matrices lie in a float texture, a row for each joint: three
// texels of the blended matrix, two of the dual quaternion, three of the stretch that goes before it.

/** Vertices in a row of the weights' texture. */
export const ROW = 1024;
/** Texels in a row of the joints' texture. */
export const JOINT_TEXELS = 8;

export const vertex = /* glsl */ `
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp usampler2D;

uniform mat4 modelViewMatrix;
uniform mat4 projectionMatrix;
uniform usampler2D weightsA;
uniform usampler2D weightsB;
uniform sampler2D joints;
uniform sampler2D palette;
uniform int slot;
uniform int skinning;
uniform int stretches;
uniform int coloring;
uniform int selected;
uniform int most;
uniform float mapScale;

in vec3 position;
in vec3 normal;
in vec2 uv;
in vec4 color;
in float map;
in float image;

out vec3 vNormal;
out vec3 vPlace;
out vec2 vUv;
out vec4 vColor;
out vec3 vTint;
out float vValue;
out float vMissing;

struct Row { uvec4 low; uvec4 high; };

Row rowOf(usampler2D weights, int vertex) {
  int at = (vertex % ${ROW}) * 2;
  int line = vertex / ${ROW};
  return Row(texelFetch(weights, ivec2(at, line), 0), texelFetch(weights, ivec2(at + 1, line), 0));
}

Row row(usampler2D weights) { return rowOf(weights, gl_VertexID); }

uint word(Row r, int i) { return i < 4 ? r.low[i] : r.high[i - 4]; }
int jointOf(uint word) { return int(word >> 16u); }
float shareOf(uint word) { return float(word & 65535u) / 65535.0; }

mat4 matrixOf(int joint, int first) {
  vec4 x = texelFetch(joints, ivec2(first, joint), 0);
  vec4 y = texelFetch(joints, ivec2(first + 1, joint), 0);
  vec4 z = texelFetch(joints, ivec2(first + 2, joint), 0);
  return transpose(mat4(x, y, z, vec4(0.0, 0.0, 0.0, 1.0)));
}

mat4 blended(Row r, int first) {
  mat4 m = mat4(0.0);
  for (int i = 0; i < 8; i++) {
    uint w = word(r, i);
    if ((w & 65535u) == 0u) break;
    m += matrixOf(jointOf(w), first) * shareOf(w);
  }
  return m;
}

vec3 turned(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + v * q.w); }

float shareIn(Row r, int joint) {
  for (int i = 0; i < 8; i++) {
    uint w = word(r, i);
    if ((w & 65535u) == 0u) break;
    if (jointOf(w) == joint) return shareOf(w);
  }
  return 0.0;
}

/* Half the sum of what differs: 0 the same, 1 nothing in common. */
float difference(Row a, Row b) {
  float sum = 0.0;
  for (int i = 0; i < 8; i++) {
    uint w = word(a, i);
    if ((w & 65535u) == 0u) break;
    sum += abs(shareOf(w) - shareIn(b, jointOf(w)));
  }
  for (int i = 0; i < 8; i++) {
    uint w = word(b, i);
    if ((w & 65535u) == 0u) break;
    if (shareIn(a, jointOf(w)) == 0.0) sum += shareOf(w);
  }
  return 0.5 * sum;
}

/* The same between a vertex and its image on the other side, joints swapped with their partners. */
float asymmetry(Row a, Row b) {
  float sum = 0.0;
  float shared = 0.0;
  for (int i = 0; i < 8; i++) {
    uint w = word(a, i);
    if ((w & 65535u) == 0u) break;
    int partner = int(texelFetch(palette, ivec2(0, jointOf(w)), 0).a + 0.5);
    float other = shareIn(b, partner);
    sum += abs(shareOf(w) - other);
    shared += other;
  }
  return 0.5 * (sum + max(0.0, 1.0 - shared));
}

void main() {
  Row a = row(weightsA);
  Row b = row(weightsB);
  Row r = a;
  if (slot == 1) r = b;
  bool bound = (r.low.x & 65535u) != 0u;
  vec3 p = position;
  vec3 n = normal;
  if (bound && skinning == 0) {
    mat4 m = blended(r, 0);
    p = (m * vec4(p, 1.0)).xyz;
    n = mat3(m) * n;
  } else if (bound && skinning == 1) {
    if (stretches == 1) {
      mat4 s = blended(r, 5);
      p = (s * vec4(p, 1.0)).xyz;
      n = inverse(transpose(mat3(s))) * n;
    }
    vec4 first = texelFetch(joints, ivec2(3, jointOf(r.low.x)), 0);
    vec4 real = vec4(0.0);
    vec4 dual = vec4(0.0);
    for (int i = 0; i < 8; i++) {
      uint w = word(r, i);
      if ((w & 65535u) == 0u) break;
      vec4 q = texelFetch(joints, ivec2(3, jointOf(w)), 0);
      float s = shareOf(w) * (dot(first, q) < 0.0 ? -1.0 : 1.0);
      real += q * s;
      dual += texelFetch(joints, ivec2(4, jointOf(w)), 0) * s;
    }
    float scale = 1.0 / length(real);
    real *= scale;
    dual *= scale;
    p = turned(real, p) + 2.0 * (real.w * dual.xyz - dual.w * real.xyz + cross(real.xyz, dual.xyz));
    n = turned(real, n);
  }
  vTint = vec3(0.0);
  vValue = 0.0;
  vMissing = bound ? 0.0 : 1.0;
  if (coloring == 1) {
    vValue = shareIn(r, selected);
  } else if (coloring == 2) {
    for (int i = 0; i < 8; i++) {
      uint w = word(r, i);
      if ((w & 65535u) == 0u) break;
      vTint += texelFetch(palette, ivec2(0, jointOf(w)), 0).rgb * shareOf(w);
    }
  } else if (coloring == 3) {
    int count = 0;
    for (int i = 0; i < 8; i++) if ((word(r, i) & 65535u) != 0u) count++;
    vValue = count > most ? 2.0 : float(count - 1) / 7.0;
  } else if (coloring == 4) {
    vValue = difference(a, b);
  } else if (coloring == 5) {
    vValue = clamp(map * mapScale, 0.0, 1.0);
  }
  if (coloring == 6) {
    if (image < -0.5) vMissing = 1.0;
    else if (slot == 1) vValue = asymmetry(b, rowOf(weightsB, int(image + 0.5)));
    else vValue = asymmetry(a, rowOf(weightsA, int(image + 0.5)));
  }
  vec4 seen = modelViewMatrix * vec4(p, 1.0);
  vPlace = seen.xyz;
  vNormal = mat3(modelViewMatrix) * n;
  vUv = uv;
  vColor = color;
  gl_Position = projectionMatrix * seen;
}
`;

export const fragment = /* glsl */ `
precision highp float;
precision highp int;

uniform int coloring;
uniform int textured;
uniform int hasTexture;
uniform int ramp;
uniform float opacity;
uniform vec4 base;
uniform vec3 clay;
uniform sampler2D picture;

in vec3 vNormal;
in vec3 vPlace;
in vec2 vUv;
in vec4 vColor;
in vec3 vTint;
in float vValue;
in float vMissing;

out vec4 fragment;

vec3 linear(vec3 c) { return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c)); }
vec3 encoded(vec3 c) {
  c = clamp(c, 0.0, 1.0);
  return mix(c * 12.92, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
}

vec3 steps(float t, vec3 a, vec3 b, vec3 c, vec3 d, vec3 e) {
  t *= 4.0;
  if (t < 1.0) return mix(a, b, t);
  if (t < 2.0) return mix(b, c, t - 1.0);
  if (t < 3.0) return mix(c, d, t - 2.0);
  return mix(d, e, t - 3.0);
}

/* Colours for 0 to 1, as sRGB. */
vec3 ramped(float t) {
  t = clamp(t, 0.0, 1.0);
  if (ramp == 1) return steps(t, vec3(0.05, 0.1, 0.9), vec3(0.0, 0.75, 0.85), vec3(0.1, 0.8, 0.2), vec3(0.95, 0.85, 0.1), vec3(0.9, 0.1, 0.05));
  if (ramp == 2) return mix(vec3(0.08), vec3(0.97), t);
  if (ramp == 3) return steps(t, vec3(0.15, 0.09, 0.07), vec3(0.5, 0.1, 0.05), vec3(0.88, 0.3, 0.04), vec3(1.0, 0.68, 0.12), vec3(1.0, 0.98, 0.8));
  return steps(t, vec3(0.11, 0.10, 0.44), vec3(0.49, 0.12, 0.58), vec3(0.79, 0.23, 0.44), vec3(0.96, 0.52, 0.22), vec3(0.98, 0.93, 0.29));
}

void main() {
  vec3 n = normalize(gl_FrontFacing ? vNormal : -vNormal);
  vec3 eye = normalize(-vPlace);
  vec3 albedo = clay;
  float alpha = 1.0;
  if (textured == 1) {
    vec4 seen = base * vColor;
    if (hasTexture == 1) {
      vec4 texel = texture(picture, vUv);
      seen *= vec4(linear(texel.rgb), texel.a);
    }
    albedo = seen.rgb;
    alpha = seen.a;
  }
  bool plain = coloring == 0;
  if (coloring == 1 || coloring >= 4) {
    // Zero in a colour of its own, so that nothing stands apart from little.
    vec3 zero = vec3(0.50, 0.54, 0.59);
    float floor = coloring == 1 ? 0.002 : 0.01;
    albedo = linear(mix(zero, ramped(vValue), smoothstep(0.5 * floor, 1.5 * floor, vValue)));
  } else if (coloring == 2) {
    albedo = vTint;
  } else if (coloring == 3) {
    albedo = vValue > 1.5 ? linear(vec3(0.92, 0.12, 0.12)) : linear(mix(vec3(0.80, 0.84, 0.88), vec3(0.16, 0.36, 0.66), vValue));
  }
  if (!plain && vMissing > 0.5) {
    // Not bound: hatched, so that it is no colour of a ramp.
    float hatch = step(0.5, fract((gl_FragCoord.x + gl_FragCoord.y) / 12.0));
    albedo = linear(mix(vec3(0.42, 0.16, 0.42), vec3(0.56, 0.24, 0.56), hatch));
  }
  // A key light over the left shoulder, a fill, the sky, and a rim.
  vec3 key = normalize(vec3(-0.45, 0.7, 0.75));
  vec3 fill = normalize(vec3(0.8, 0.1, 0.5));
  float wrap = max(0.0, (dot(n, key) + 0.25) / 1.25);
  vec3 light = vec3(0.98, 0.96, 0.92) * 0.78 * wrap + vec3(0.55, 0.62, 0.75) * 0.26 * max(0.0, dot(n, fill));
  light += mix(vec3(0.20, 0.19, 0.18), vec3(0.36, 0.39, 0.44), 0.5 + 0.5 * n.y);
  float rim = pow(1.0 - max(0.0, dot(n, eye)), 3.0);
  vec3 seen = albedo * light;
  if (plain) {
    float shine = pow(max(0.0, dot(n, normalize(key + eye))), 38.0);
    seen += 0.09 * shine + 0.07 * rim;
  } else {
    seen += 0.03 * rim;
  }
  fragment = vec4(encoded(seen), alpha * opacity);
  if (fragment.a < 0.02) discard;
}
`;

export const wireFragment = /* glsl */ `
precision highp float;
precision highp int;
uniform vec4 line;
in vec3 vNormal;
in vec3 vPlace;
in vec2 vUv;
in vec4 vColor;
in vec3 vTint;
in float vValue;
in float vMissing;
out vec4 fragment;
void main() { fragment = line; }
`;

// A moving picture (APNG) from still ones of the same size, without any package.

import * as zlib from 'node:zlib';

function* chunks(png) {
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    yield { type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) };
    at += 12 + length;
  }
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc(body), body.length + 4);
  return out;
}

/** Node has crc32 from version 22 on. */
function crc(bytes) {
  if (zlib.crc32) return zlib.crc32(bytes);
  let c = 0xffffffff;
  for (const byte of bytes) {
    c ^= byte;
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  }
  return (c ^ 0xffffffff) >>> 0;
}

/** Rows of a PNG file of eight bits a channel, as RGBA. */
function decoded(png) {
  const parts = [...chunks(png)];
  const head = parts.find((c) => c.type === 'IHDR').data;
  const [width, height, kind] = [head.readUInt32BE(0), head.readUInt32BE(4), head[9]];
  const channels = kind === 6 ? 4 : 3;
  const data = zlib.inflateSync(Buffer.concat(parts.filter((c) => c.type === 'IDAT').map((c) => c.data)));
  const line = width * channels;
  const plain = Buffer.alloc(line * height);
  for (let y = 0; y < height; y++) {
    const filter = data[y * (line + 1)];
    for (let x = 0; x < line; x++) {
      const left = x >= channels ? plain[y * line + x - channels] : 0;
      const up = y > 0 ? plain[(y - 1) * line + x] : 0;
      const corner = x >= channels && y > 0 ? plain[(y - 1) * line + x - channels] : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      plain[y * line + x] = data[y * (line + 1) + 1 + x] + guess;
    }
  }
  const pixels = Buffer.alloc(4 * width * height, 255);
  for (let i = 0; i < width * height; i++) plain.copy(pixels, 4 * i, channels * i, channels * i + 3);
  return { width, height, pixels };
}

function paeth(a, b, c) {
  const p = a + b - c;
  const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

function deflated(width, height, pixels) {
  const lines = Buffer.alloc(height * (4 * width + 1));
  for (let y = 0; y < height; y++) {
    const at = y * (4 * width + 1);
    lines[at] = 2; // what is above
    for (let x = 0; x < 4 * width; x++) {
      const up = y > 0 ? pixels[(y - 1) * 4 * width + x] : 0;
      lines[at + 1 + x] = pixels[y * 4 * width + x] - up;
    }
  }
  return zlib.deflateSync(lines, { level: 9 });
}

/** Frames as PNG files of one size, each shown for so many milliseconds. What does not change is left out of a frame. */
export function animated(frames, milliseconds) {
  const shown = frames.map(decoded);
  const { width, height } = shown[0];
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 6], 8);
  const control = Buffer.alloc(8);
  control.writeUInt32BE(frames.length, 0);
  const out = [Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), chunk('IHDR', head), chunk('acTL', control)];
  let sequence = 0;
  shown.forEach(({ pixels }, at) => {
    const changed = Buffer.from(pixels);
    if (at > 0) {
      const before = shown[at - 1].pixels;
      for (let i = 0; i < pixels.length; i += 4) {
        if (pixels.readUInt32LE(i) === before.readUInt32LE(i)) changed.writeUInt32LE(0, i);
      }
    }
    const frame = Buffer.alloc(26);
    frame.writeUInt32BE(sequence++, 0);
    head.copy(frame, 4, 0, 8);
    frame.writeUInt16BE(milliseconds, 20);
    frame.writeUInt16BE(1000, 22);
    frame[25] = at > 0 ? 1 : 0; // over what is there
    out.push(chunk('fcTL', frame));
    const data = deflated(width, height, changed);
    const number = Buffer.alloc(4);
    if (at > 0) number.writeUInt32BE(sequence++, 0);
    out.push(at === 0 ? chunk('IDAT', data) : chunk('fdAT', Buffer.concat([number, data])));
  });
  out.push(chunk('IEND', Buffer.alloc(0)));
  return Buffer.concat(out);
}

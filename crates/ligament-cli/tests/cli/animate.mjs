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

/** Frames as PNG files, each shown for so many milliseconds. */
export function animated(frames, milliseconds) {
  const head = [...chunks(frames[0])].find((c) => c.type === 'IHDR').data;
  const out = [Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), chunk('IHDR', head)];
  const control = Buffer.alloc(8);
  control.writeUInt32BE(frames.length, 0);
  out.push(chunk('acTL', control));
  let sequence = 0;
  frames.forEach((png, at) => {
    const frame = Buffer.alloc(26);
    frame.writeUInt32BE(sequence++, 0);
    head.copy(frame, 4, 0, 8);
    frame.writeUInt16BE(milliseconds, 20);
    frame.writeUInt16BE(1000, 22);
    out.push(chunk('fcTL', frame));
    for (const { type, data } of chunks(png)) {
      if (type !== 'IDAT') continue;
      if (at === 0) {
        out.push(chunk('IDAT', data));
      } else {
        const number = Buffer.alloc(4);
        number.writeUInt32BE(sequence++, 0);
        out.push(chunk('fdAT', Buffer.concat([number, data])));
      }
    }
  });
  out.push(chunk('IEND', Buffer.alloc(0)));
  return Buffer.concat(out);
}

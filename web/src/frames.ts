// Binary frames: sixteen bytes that say what follows, then numbers. Little-endian, four-byte aligned.

import { VERSION } from './types';

export const enum Kind {
  Mesh = 1,
  Weights = 2,
  Rows = 3,
  Clip = 4,
  Texture = 5,
  Deformed = 6,
  Voxels = 7,
  Map = 8,
  Thumbnail = 9,
  Mirror = 10,
}

export class Frame {
  readonly kind: number;
  readonly serial: number;
  readonly a: number;
  readonly b: number;
  private at = 16;

  constructor(private readonly buffer: ArrayBuffer) {
    const head = new DataView(buffer);
    if (head.getUint16(0, true) !== VERSION) {
      throw new Error('the page is of another version than the studio; load it again');
    }
    this.kind = head.getUint16(2, true);
    this.serial = head.getUint32(4, true);
    this.a = head.getUint32(8, true);
    this.b = head.getUint32(12, true);
  }

  f32(count: number): Float32Array<ArrayBuffer> {
    const numbers = new Float32Array(this.buffer, this.at, count);
    this.at += 4 * count;
    return numbers;
  }

  u32(count: number): Uint32Array<ArrayBuffer> {
    const numbers = new Uint32Array(this.buffer, this.at, count);
    this.at += 4 * count;
    return numbers;
  }

  bytes(count: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.buffer, this.at, count);
    this.at += Math.ceil(count / 4) * 4;
    return bytes;
  }
}

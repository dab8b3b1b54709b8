import { readFileSync } from "node:fs";
import { constants, crc32, deflateRawSync, gunzipSync } from "node:zlib";
import sharp from "sharp";

type PngOptions = {
  width: number;
  height: number;
  /** Bits per channel, and channels (1 is gray, 4 is RGBA). */
  bits?: 1 | 8 | 16;
  channels?: 1 | 4;
  interlaced?: boolean;
  /** The number of zeros in the image data. By default, as many as the header implies. */
  zeros?: number;
  more?: Buffer[];
};

export function png({ width, height, more = [], ...options }: PngOptions): Buffer {
  const { bits = 1, channels = 1, interlaced = false } = options;
  const bitsPerPixel = bits * channels;
  const { zeros = rowBytes({ width, height, bitsPerPixel, interlaced }) } = options;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(bits, 8);
  header.writeUInt8(channels === 4 ? 6 : 0, 9);
  header.writeUInt8(interlaced ? 1 : 0, 12);
  const parts = [chunk("IHDR", header), ...more, chunk("IDAT", deflatedZeros(zeros))];
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...parts, chunk("IEND")]);
}

type Rows = { width: number; height: number; bitsPerPixel: number; interlaced: boolean };

/** Counts image bytes and filter bytes. An interlaced PNG has rows for each of Adam7's passes. */
function rowBytes({ width, height, bitsPerPixel, interlaced }: Rows): number {
  const passes = interlaced ? adam7 : [[0, 0, 1, 1] as const];
  return passes
    .map(([left, top, across, down]) => {
      const [columns, rows] = [
        Math.ceil((width - left) / across),
        Math.ceil((height - top) / down),
      ];
      return columns > 0 && rows > 0 ? (Math.ceil((columns * bitsPerPixel) / 8) + 1) * rows : 0;
    })
    .reduce((sum, bytes) => sum + bytes, 0);
}

const adam7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** Returns `length` zeros in zlib's format, by repeating one compressed megabyte. */
function deflatedZeros(length: number): Buffer {
  const megabyte = 1024 * 1024;
  const zeros = (bytes: number, finishFlush: number) =>
    deflateRawSync(Buffer.alloc(bytes), { level: 9, finishFlush });
  const whole = zeros(megabyte, constants.Z_FULL_FLUSH);
  const adler = Buffer.alloc(4);
  adler.writeUInt16BE(length % 65_521, 0);
  adler.writeUInt16BE(1, 2);
  return Buffer.concat([
    Buffer.from([0x78, 0x9c]),
    ...Array.from({ length: Math.floor(length / megabyte) }, () => whole),
    zeros(length % megabyte, constants.Z_FINISH),
    adler,
  ]);
}

export function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A GIF with the largest possible size in its header, and data for one pixel. */
export function hugeGif(): Buffer {
  const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
  // The offsets of the screen's width and height, and of the image's.
  for (const side of [6, 8, 32, 34]) gif.writeUInt16LE(65_535, side);
  return gif;
}

/** A progressive JPEG that repeats its last scan. Decoding a scan processes the whole image. */
export async function manyScans(times: number): Promise<Buffer> {
  const jpeg = await sharp({
    create: { width: 4000, height: 3000, channels: 3, background: "#357" },
  })
    .jpeg({ progressive: true })
    .toBuffer();
  const lastScan = jpeg.lastIndexOf(Buffer.from([0xff, 0xda]));
  const scan = jpeg.subarray(lastScan, jpeg.length - 2);
  return Buffer.concat([
    jpeg.subarray(0, lastScan),
    ...Array.from({ length: times }, () => scan),
    jpeg.subarray(jpeg.length - 2),
  ]);
}

/** A JPEG with `passenger` in a comment and again after the end of the image. */
export function withPassengers(jpeg: Buffer, passenger: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(passenger.length + 2);
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe]), length, passenger]);
  return Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2), passenger]);
}

export async function animatedWebp(): Promise<Buffer> {
  const [width, pageHeight] = [600, 600];
  const frames = [0, 128, 255].map((grey) => Buffer.alloc(width * pageHeight * 3, grey));
  const raw = { width, height: pageHeight * frames.length, channels: 3, pageHeight } as const;
  return await sharp(Buffer.concat(frames), { raw }).webp().toBuffer();
}

/** A JPEG with an eight-megabyte ICC profile. */
export function hugeProfile(jpeg: Buffer): Buffer {
  const count = 128;
  const segments = Array.from({ length: count }, (_, index) => {
    const start = Buffer.from([0xff, 0xe2, 0xff, 0xff]);
    const name = Buffer.from("ICC_PROFILE\0", "latin1");
    return Buffer.concat([start, name, Buffer.from([index + 1, count]), Buffer.alloc(65_519, 1)]);
  });
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);
}

/** A stored image of a single color, compressed to less than two kilobytes. */
export function storedPicture(name: string): Buffer {
  const bytes = readFileSync(new URL(`hostile-images/${name}`, import.meta.url));
  return name.endsWith(".gz") ? gunzipSync(bytes) : bytes;
}

/** An AVIF of 8000 × 6000 pixels whose header states 100 × 100. */
export function lyingAvif(): Buffer {
  const avif = storedPicture("48-megapixels.avif");
  for (let at = avif.indexOf("ispe"); at >= 0; at = avif.indexOf("ispe", at + 1)) {
    avif.writeUInt32BE(100, at + 8);
    avif.writeUInt32BE(100, at + 12);
  }
  return avif;
}

import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";

/** A PNG that says it is so wide and high, in black and white, with these rows in it. */
export function png(
  width: number,
  height: number,
  { rows, more = [] }: { rows: Buffer; more?: Buffer[] },
) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(1, 8);
  const parts = [chunk("IHDR", header), ...more, chunk("IDAT", deflateSync(rows, { level: 1 }))];
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...parts, chunk("IEND")]);
}

/** One chunk of a PNG: its length, its type, its data, its check sum. */
export function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** The rows of a black and white PNG of this size, all black. */
export function blackRows(width: number, height: number): Buffer {
  return Buffer.alloc((Math.ceil(width / 8) + 1) * height);
}

/** A GIF with data for one pixel that says it is as large as can be said. */
export function hugeGif(): Buffer {
  const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
  // Of the screen and of the one picture on it, width and height.
  for (const side of [6, 8, 32, 34]) gif.writeUInt16LE(65_535, side);
  return gif;
}

/** A progressive JPEG whose last scan comes so many times: each is decoded over the whole picture. */
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

/** A photo with something written into its comment, and something else behind its end. */
export function withPassengers(jpeg: Buffer, passenger: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(passenger.length + 2);
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe]), length, passenger]);
  return Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2), passenger]);
}

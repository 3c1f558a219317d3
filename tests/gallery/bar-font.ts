// A font whose letters are all the same bar. Pictures in it show where text is and how long it is, but depend on no font.

const unitsPerEm = 1_000;
const ascent = 1_025;
const descent = 275;

/** Glyph 0 is for nothing, 1 is the bar, 2 the space. */
const bar = { advance: 560, left: 40, right: 520, bottom: 0, top: 560 };
const spaceAdvance = 250;
const glyphCount = 3;
const [barGlyph, spaceGlyph] = [1, 2];

/** Every character, with the glyph that shows it. */
const groups = [
  [0x20, 0x20, spaceGlyph],
  [0x21, 0x9f, barGlyph],
  [0xa0, 0xa0, spaceGlyph],
  [0xa1, 0x10_ffff, barGlyph],
] as const;

const outline = bytesOf(
  ...[int16(1), int16(bar.left), int16(bar.bottom), int16(bar.right), int16(bar.top)],
  // One contour of four points on the curve, without instructions; then the steps from point to point.
  ...[int16(3), int16(0), [1, 1, 1, 1]],
  ...[bar.left, 0, bar.right - bar.left, 0].map(int16),
  ...[bar.bottom, bar.top - bar.bottom, 0, bar.bottom - bar.top].map(int16),
);

const tables: Readonly<Record<string, number[]>> = {
  'OS/2': bytesOf(
    ...[int16(4), int16(bar.advance), int16(400), int16(5), int16(0)],
    ...Array.from({ length: 11 }, () => int16(0)),
    ...[Array(10).fill(0), Array(16).fill(0), text('BARS')],
    ...[int16(0x40), int16(0x20), int16(0xffff), int16(ascent), int16(-descent), int16(0)],
    ...[int16(ascent), int16(descent), int32(1), int32(0), int16(bar.top), int16(bar.top)],
    ...[int16(0), int16(0x20), int16(1)],
  ),
  // Format 13 gives one glyph to many characters.
  cmap: bytesOf(
    ...[int16(0), int16(1), int16(3), int16(10), int32(12)],
    ...[int16(13), int16(0), int32(16 + groups.length * 12), int32(0), int32(groups.length)],
    ...groups.flatMap((group) => group.map(int32)),
  ),
  glyf: outline,
  head: bytesOf(
    ...[int32(0x1_0000), int32(0x1_0000), int32(0), int32(0x5f0f_3cf5), int16(0), int16(unitsPerEm)],
    ...[Array(16).fill(0), int16(0), int16(-descent), int16(bar.advance), int16(ascent)],
    ...[int16(0), int16(8), int16(2), int16(1), int16(0)],
  ),
  hhea: bytesOf(
    ...[int32(0x1_0000), int16(ascent), int16(-descent), int16(0), int16(bar.advance)],
    ...[int16(0), int16(0), int16(bar.right), int16(1), int16(0), int16(0), Array(8).fill(0)],
    ...[int16(0), int16(glyphCount)],
  ),
  hmtx: bytesOf(...[0, 0, bar.advance, bar.left, spaceAdvance, 0].map(int16)),
  loca: bytesOf(...[0, 0, outline.length, outline.length].map(int32)),
  maxp: bytesOf(int32(0x1_0000), int16(glyphCount), ...[4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0].map(int16)),
  name: bytesOf(int16(0), int16(0), int16(6)),
  post: bytesOf(int32(0x3_0000), Array(28).fill(0)),
};

/** The font as a TrueType file. */
export function barFont(): Buffer {
  const names = Object.keys(tables).sort();
  const power = 2 ** Math.floor(Math.log2(names.length));
  const header = bytesOf(
    ...[int32(0x1_0000), int16(names.length), int16(power * 16)],
    ...[int16(Math.log2(power)), int16((names.length - power) * 16)],
  );
  let offset = header.length + names.length * 16;
  const [directory, contents]: [number[][], number[][]] = [[], []];
  for (const name of names) {
    const table = tables[name] ?? [];
    const padded = [...table, ...Array(-table.length & 3).fill(0)];
    directory.push(text(name), int32(checksum(padded)), int32(offset), int32(table.length));
    contents.push(padded);
    offset += padded.length;
  }
  return Buffer.from(bytesOf(header, ...directory, ...contents));
}

function checksum(bytes: readonly number[]): number {
  const buffer = Buffer.from(bytes);
  let sum = 0;
  for (let at = 0; at < buffer.length; at += 4) sum = (sum + buffer.readUInt32BE(at)) % 2 ** 32;
  return sum;
}

function bytesOf(...parts: readonly number[][]): number[] {
  return parts.flat();
}

function int16(value: number): number[] {
  return [(value >> 8) & 0xff, value & 0xff];
}

function int32(value: number): number[] {
  return [...int16(value >>> 16), ...int16(value)];
}

function text(letters: string): number[] {
  return [...Buffer.from(letters, 'latin1')];
}

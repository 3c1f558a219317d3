/** A part of a ring, in turns from the top, clockwise. */
export interface Slice {
  readonly start: number;
  readonly end: number;
}

/** Even one address in a million leaves a sliver that can be seen. */
const turnMin = 1.5 / 360;
/** Ten times as many make it this much wider, so that 1, 100 and 3,000 of a million do not look alike. */
const turnPerTenfold = 1.25 / 360;
const gap = 1.5 / 360;

/**
 * How counts above 0 divide a ring. Each gets a sliver by its number of digits, so that small ones can be seen and told apart,
 * and its share of the rest.
 */
export function slicesOf(counts: readonly number[]): Slice[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const space = counts.length > 1 ? gap : 0;
  const slivers = counts.map((count) => turnMin + Math.log10(count) * turnPerTenfold);
  const free = 1 - counts.length * space - slivers.reduce((sum, sliver) => sum + sliver, 0);
  let at = 0;
  return counts.map((count, index) => {
    const slice = { start: at, end: at + (slivers[index] ?? 0) + (count / total) * free };
    at = slice.end + space;
    return slice;
  });
}

/** The slice as an SVG path around the middle of a square; a whole ring is two halves. */
export function ringPath(
  { start, end }: Slice,
  { size, thickness }: { size: number; thickness: number },
): string {
  const outer = size / 2;
  if (end - start > 0.999) {
    return `${ringPath({ start: 0, end: 0.5 }, { size, thickness })} ${ringPath({ start: 0.5, end: 1 }, { size, thickness })}`;
  }
  const inner = outer - thickness;
  const at = (radius: number, turn: number): string =>
    [outer + radius * Math.sin(turn * 2 * Math.PI), outer - radius * Math.cos(turn * 2 * Math.PI)]
      .map((place) => place.toFixed(2))
      .join(' ');
  const isLong = end - start > 0.5 ? 1 : 0;
  return [
    `M${at(outer, start)}`,
    `A${outer} ${outer} 0 ${isLong} 1 ${at(outer, end)}`,
    `L${at(inner, end)}`,
    `A${inner} ${inner} 0 ${isLong} 0 ${at(inner, start)}`,
    'Z',
  ].join(' ');
}

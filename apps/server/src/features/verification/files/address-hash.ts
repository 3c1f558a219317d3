// 64 bits of an address in two halves, character by character: two multiplicative hashes over the same characters.
export const seeds = { low: 0x811c9dc5, high: 0x9e3779b9 } as const;

export const mixLow = (low: number, code: number): number => Math.imul(low ^ code, 0x01000193);
export const mixHigh = (high: number, code: number): number =>
  Math.imul(high ^ code, 0x85ebca6b) + (high >>> 13);

/** The hash of a text that is in lower case already. */
export function hashText(text: string): { readonly low: number; readonly high: number } {
  let low: number = seeds.low;
  let high: number = seeds.high;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    low = mixLow(low, code);
    high = mixHigh(high, code);
  }
  return { low: finishLow(low), high: finishHigh(high) };
}

export function finishLow(mixed: number): number {
  const low = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d);
  return (low ^ (low >>> 15)) >>> 0;
}

export function finishHigh(mixed: number): number {
  const high = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return (high ^ (high >>> 16)) >>> 0;
}

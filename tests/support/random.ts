export interface Random {
  /** From 0 to below 1. */
  share(): number;
  /** A whole number from `min` to `max`, inclusive. */
  between(min: number, max: number): number;
  oneOf<Item>(items: readonly [Item, ...Item[]]): Item;
}

/** Mulberry32: a small generator with the same numbers on every machine. */
export function createRandom(seed: number): Random {
  let state = seed;
  const share = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    share,
    between: (min, max) => min + Math.floor(share() * (max - min + 1)),
    oneOf: (items) => items[Math.floor(share() * items.length)] ?? items[0],
  };
}

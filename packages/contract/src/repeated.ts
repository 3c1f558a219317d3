import * as z from 'zod/mini';

/** A repeated query parameter arrives as one string or as several. */
export const repeated = <Item extends z.ZodMiniType>(item: Item, lengthMax = 8) =>
  z.pipe(
    z.transform((value) => (Array.isArray(value) ? value : [value])),
    z.array(item).check(z.minLength(1), z.maxLength(lengthMax)),
  );

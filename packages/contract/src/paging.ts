import * as z from 'zod/mini';

export const PAGE_SIZES = [10, 25, 50] as const;
/** Largest page for programs; screens use smaller ones. */
export const PAGE_SIZE_MAX = 100;
export const DEFAULT_PAGE_SIZE = 10;
export const DEFAULT_PAGE_NUMBER = 1;

export const pageQuerySchema = z.strictObject({
  page_size: z._default(
    z.coerce.number().check(z.int(), z.minimum(1), z.maximum(PAGE_SIZE_MAX)),
    DEFAULT_PAGE_SIZE,
  ),
  page_number: z._default(
    z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1_000_000)),
    DEFAULT_PAGE_NUMBER,
  ),
});
export type PageQuery = z.output<typeof pageQuerySchema>;

// Lets the web app's build drop schemas of pages that it does not use.
/* @__NO_SIDE_EFFECTS__ */
export const pageOf = <Item extends z.ZodMiniType>(item: Item) =>
  z.object({ results: z.array(item), total: z.number() });

import * as z from 'zod/mini';

export const idSchema = z.uuid();
/** Dates travel as ISO 8601 with offset. */
export const dateTimeSchema = z.iso.datetime({ offset: true });
export const nothingSchema = z.null();
/** A switch in a query: `true` or `false`. */
export const switchSchema = z.union([z.boolean(), z.stringbool()]);

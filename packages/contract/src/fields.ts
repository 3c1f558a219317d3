import * as z from 'zod/mini';

/** In lower case, because ids are also parts of texts, such as the names of holds. Some programs write them in capital letters. */
export const idSchema = z.uuid().check(z.toLowerCase());
/** Dates are ISO 8601 with offset. */
export const dateTimeSchema = z.iso.datetime({ offset: true }).check(z.maxLength(40));
export const nothingSchema = z.null();
/** A switch in a query: `true` or `false`. */
export const switchSchema = z.union([z.boolean(), z.stringbool()]);
/** The same in a form, where everything is text. */
export const formSwitchSchema = z.pipe(
  z.string().check(z.maxLength(8)) as z.ZodMiniType<unknown, string>,
  z.stringbool(),
);

import * as z from 'zod/mini';

export const errorSchema = z.object({
  code: z.string(),
  message: z.string(),
  http_status: z.number(),
  trace_id: z.string(),
  meta: z.record(z.string(), z.unknown()),
});
export type ErrorObject = z.output<typeof errorSchema>;

/** Every refusal of the API has this shape; the first entry is the one to show. */
export const errorAnswerSchema = z.object({ errors: z.array(errorSchema).check(z.minLength(1)) });
export type ErrorAnswer = z.output<typeof errorAnswerSchema>;

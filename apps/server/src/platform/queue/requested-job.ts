import * as z from 'zod/mini';

/**
 * A job that the database itself asks for, with the SQL function `request_job`, because no process of ours may be there to
 * enqueue it. All workers hear the request; its id makes it one job. If none hears it, it is lost: a scheduled job
 * has to do the same work later.
 */
const requestSchema = z.strictObject({
  name: z.string(),
  id: z.guid(),
  data: z.record(z.string(), z.unknown()),
});
export type RequestedJob = z.output<typeof requestSchema>;

/** Undefined for the plain name of a queue that has new jobs. Any client of the database can send anything. */
export function readRequestedJob(message: string): RequestedJob | undefined {
  if (!message.startsWith('{')) return undefined;
  try {
    return z.parse(requestSchema, JSON.parse(message));
  } catch {
    return undefined;
  }
}

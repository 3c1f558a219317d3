import type { Schedule } from '../clock.ts';
import { AppError } from '../errors/index.ts';

/** Rejects if the database takes longer than this. What it was asked for may still happen. */
export async function withPatience<Answer>(
  answer: Promise<Answer>,
  patienceMs: number,
  schedule: Schedule,
): Promise<Answer> {
  const late = Promise.withResolvers<never>();
  const cancel = schedule(
    () => late.reject(new AppError('service_unavailable', { part: 'database' })),
    patienceMs,
  );
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    cancel();
  }
}

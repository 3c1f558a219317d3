import { randomBytes } from 'node:crypto';

const hex = (bytes: number): string => randomBytes(bytes).toString('hex');
let chosen: string | undefined;

/** The traces that `begin` begins get this id, which customers see and the log has. */
export function beginTraceAs<Result>(traceId: string, begin: () => Result): Result {
  chosen = traceId;
  try {
    return begin();
  } finally {
    chosen = undefined;
  }
}

export const traceIds = {
  generateTraceId: (): string => chosen ?? hex(16),
  generateSpanId: (): string => hex(8),
};

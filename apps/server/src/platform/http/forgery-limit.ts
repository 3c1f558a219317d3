import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../clock.ts';
import { AppError, type ErrorCode } from '../errors/index.ts';
import { callerNetwork } from './caller-network.ts';
import { refuseSlowly } from './rate-limits.ts';

/** A wrong secret in a setting makes a few. More come from somebody who tries, or who wants to keep us busy. */
const forgedMax = 20;
const windowMs = 60_000;
/** More of them in one window than this are forgotten together. */
const forgersMax = 10_000;

interface ForgeryCount {
  /** Refuses a call of somebody who has sent many forged bodies, before the body is read. */
  refuseForger(forger: string, reply: FastifyReply): Promise<void>;
  add(forger: string): void;
}

/** Each process counts by itself. */
export function countForgeries(clock: Clock): ForgeryCount {
  const counts = new Map<string, number>();
  let windowEnd = 0;
  return {
    refuseForger: async (forger, reply) => {
      const now = clock.now().getTime();
      // A window that ends later than a whole one from now was begun by a clock that was wrong.
      if (now >= windowEnd || windowEnd > now + windowMs || counts.size >= forgersMax) {
        counts.clear();
        windowEnd = now + windowMs;
      }
      if ((counts.get(forger) ?? 0) < forgedMax) return;
      // The body is still on its way, and nobody will read it.
      reply.header('connection', 'close');
      await refuseSlowly(Math.ceil((windowEnd - now) / 1_000));
    },
    add: (forger) => void counts.set(forger, (counts.get(forger) ?? 0) + 1),
  };
}

/**
 * For routes whose callers prove themselves by a signature over the body, which has to be read first. From a network that has sent
 * many forged bodies, no more are read for a while. Returns how to run what throws `forged`.
 */
export function limitForgeries(
  scope: FastifyInstance,
  { clock, forged }: { readonly clock: Clock; readonly forged: ErrorCode },
): <Result>(request: FastifyRequest, prove: () => Result) => Result {
  const forgeries = countForgeries(clock);
  scope.addHook('onRequest', ({ ip }, reply) => forgeries.refuseForger(callerNetwork(ip), reply));
  return ({ ip }, prove) => {
    try {
      return prove();
    } catch (error) {
      if (error instanceof AppError && error.code === forged) forgeries.add(callerNetwork(ip));
      throw error;
    }
  };
}

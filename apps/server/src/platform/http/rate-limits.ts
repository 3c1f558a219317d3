import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { tooManyRequests } from '../errors/index.ts';

export interface RequestLimits {
  /** Requests per minute, counted in this process. */
  readonly requestsPerAddress: number;
  readonly requestsPerCustomer: number;
}

const windowSeconds = 60;

type LimitState = Awaited<ReturnType<ReturnType<FastifyInstance['createRateLimit']>>>;

/**
 * Bounds how often one network address, and then one customer, may call. The address is counted before anything else is
 * done for it. Call this before authentication is added.
 */
export async function limitRequests(app: FastifyInstance, limits: RequestLimits): Promise<void> {
  await app.register(rateLimit, { global: false, timeWindow: windowSeconds * 1_000 });
  const countAddress = app.createRateLimit({ max: limits.requestsPerAddress });
  const countCustomer = app.createRateLimit({
    max: limits.requestsPerCustomer,
    keyGenerator: (request) => request.customer?.userId ?? '',
  });

  app.addHook('onRequest', async (request, reply) =>
    applyLimit('address', await countAddress(request), reply),
  );
  // Authentication is an onRequest hook, so that by now the customer is known and the body is not yet read.
  app.addHook('preParsing', async (request, reply) => {
    if (request.customer) applyLimit('customer', await countCustomer(request), reply);
  });
}

/**
 * The two fields of the IETF's RateLimit draft, which clients read before they are refused: the policy that counts this
 * call, and what it leaves. Where the customer is known, theirs replaces that of the network address.
 */
function applyLimit(policy: 'address' | 'customer', state: LimitState, reply: FastifyReply): void {
  if (state.isAllowed) return;
  reply.header('ratelimit-policy', `"${policy}";q=${state.max};w=${windowSeconds}`);
  reply.header('ratelimit', `"${policy}";r=${state.remaining};t=${state.ttlInSeconds}`);
  if (state.isExceeded) throw tooManyRequests(state.ttlInSeconds);
}

import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Clock } from '../clock.ts';
import { tooManyRequests } from '../errors/index.ts';
import {
  type AllowanceAnswer,
  type AllowanceStore,
  createMemoryStore,
  createSharedAllowance,
} from '../limits/index.ts';
import { callerNetwork } from './caller-network.ts';

export interface RequestLimits {
  /** Requests per minute, in all processes together. */
  readonly requestsPerAddress: number;
  readonly requestsPerCustomer: number;
}

const windowSeconds = 60;
/** Shorter, so that nobody uses up the minute in a burst that delays others. */
const pagesWindowSeconds = 10;
/** A client that repeats refused calls at once has to wait for each of them. */
const refusalMs = 50;
/** More of them would hold too many connections of a proxy. */
const slowRefusalsMax = 100;
/** A sender such as SendGrid calls for all its customers from the same addresses. */
const sendersShare = 4;
/** A throttled customer has this part of the budget of others. */
const throttledPart = 10;

/**
 * Bounds how often one network address, and then one customer, may call. The address is counted before anything else is
 * done for it. Call this before authentication is added.
 */
export function limitRequests(
  app: FastifyInstance,
  parts: { readonly store: AllowanceStore; readonly clock: Clock },
  limits: RequestLimits,
): void {
  const address = { policy: 'address', max: limits.requestsPerAddress, windowSeconds };
  const senders = { policy: 'senders', max: limits.requestsPerAddress * sendersShare, windowSeconds };
  const customer = { policy: 'customer', max: limits.requestsPerCustomer, windowSeconds };
  const throttled = { policy: 'throttled', max: Math.ceil(customer.max / throttledPart), windowSeconds };
  const ofAddress = createSharedAllowance(parts, address);
  const ofSenders = createSharedAllowance(parts, senders);
  const ofCustomer = createSharedAllowance(parts, customer);
  const ofThrottled = createSharedAllowance(parts, throttled);

  app.addHook('onRequest', async ({ ip, routeOptions }, reply) =>
    routeOptions.config.isForSenders
      ? applyLimit(senders, await ofSenders.take(callerNetwork(ip)), reply)
      : applyLimit(address, await ofAddress.take(callerNetwork(ip)), reply),
  );
  // Authentication is an onRequest hook, so that by now the customer is known and the body is not yet read.
  app.addHook('preParsing', async (request, reply) => {
    if (!request.caller) return;
    const { accountId, standing } = request.caller;
    if (standing === 'throttled') await applyLimit(throttled, await ofThrottled.take(accountId), reply);
    else await applyLimit(customer, await ofCustomer.take(accountId), reply);
  });
}

/**
 * For each call that an address may make. The web app loads about forty files at first, and an office may share an
 * address. A search costs about a hundred times as much as a page that is kept.
 */
const pagesPerCall = { file: 3 / 4, documentation: 1 / 8, search: 1 / 40 } as const;

/**
 * Bounds how often one network address may load pages and files, which need no credentials. Each process counts by
 * itself: what is served from memory should not wait for the database, nor fail with it.
 */
export function limitPages(
  app: FastifyInstance,
  clock: Clock,
  { requestsPerAddress }: Pick<RequestLimits, 'requestsPerAddress'>,
): void {
  const parts = { store: createMemoryStore(), clock };
  const allowanceOf = (kind: keyof typeof pagesPerCall) =>
    createSharedAllowance(parts, {
      policy: kind,
      max: Math.ceil((requestsPerAddress * pagesPerCall[kind] * pagesWindowSeconds) / windowSeconds),
      windowSeconds: pagesWindowSeconds,
    });
  const allowances = {
    file: allowanceOf('file'),
    documentation: allowanceOf('documentation'),
    search: allowanceOf('search'),
  };
  app.addHook('onRequest', async ({ ip, routeOptions }) => {
    const allowance = allowances[routeOptions.config?.pageKind ?? 'file'];
    const { isExceeded, secondsLeft } = await allowance.take(callerNetwork(ip));
    if (isExceeded) await refuseSlowly(secondsLeft);
  });
}

/**
 * The two fields of the IETF's RateLimit draft, which clients read before they are refused: the policy that counts this
 * call, and what it leaves. Where the customer is known, theirs replaces that of the network address.
 */
async function applyLimit(
  { policy, max }: { readonly policy: string; readonly max: number },
  { isExceeded, remaining, secondsLeft }: AllowanceAnswer,
  reply: FastifyReply,
): Promise<void> {
  reply.header('ratelimit-policy', `"${policy}";q=${max};w=${windowSeconds}`);
  reply.header('ratelimit', `"${policy}";r=${remaining};t=${secondsLeft}`);
  if (isExceeded) await refuseSlowly(secondsLeft);
}

let slowRefusals = 0;

export async function refuseSlowly(secondsLeft: number): Promise<never> {
  if (slowRefusals < slowRefusalsMax) {
    slowRefusals += 1;
    await pause(refusalMs).finally(() => {
      slowRefusals -= 1;
    });
  }
  throw tooManyRequests(secondsLeft);
}

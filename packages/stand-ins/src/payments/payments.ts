import { type Answer, listen, type WebRequest } from '@assay/pages';
import { apiRoutes } from './api/routes.ts';
import { Clock } from './clock.ts';
import { createApi } from './http/api.ts';
import { type FailingCall, Failures } from './http/failures.ts';
import { answerPage } from './pages/pages.ts';
import { openPostgres } from './store/postgres.ts';
import { Store } from './store/store.ts';
import type { StoredEvent } from './store/tables.ts';

import { Timekeeper } from './timekeeper.ts';
import { Courier, type ResumeOptions } from './webhooks/courier.ts';
import type { WebhookEndpoint, World } from './world.ts';

export interface PaymentsOptions {
  /** Where to listen; the loopback address when not given. */
  host?: string;
  /** Any free port when not given. */
  port?: number;
  /** The origin that people's browsers reach, such as http://localhost:3002; our own when not given. */
  publicUrl?: string;
  secretKey: string;
  /** The endpoint that receives all events. */
  webhook?: WebhookEndpoint;
  /** A PostgreSQL database, in which the schema `payments` is ours: everything survives a restart. In memory when not given. */
  databaseUrl?: string;
  /** The start of a clock that only `clock.advanceTo` moves; without it the clock follows real time. */
  now?: Date;
  /**
   * What time the signatures of webhooks bear. It is the receiver who compares it with a clock, so it is real time
   * unless the receiver's clock is moved as well.
   */
  signingTime?: () => Date;
}

export interface Payments {
  /** Where the API answers, for the SDK's `host`, `port` and `protocol`. */
  readonly origin: string;
  readonly host: string;
  readonly port: number;
  readonly clock: {
    now(): Date;
    /** Moves the clock on, through every renewal, retry and end of a period on the way, and delivers their events. */
    advanceTo(date: Date): Promise<void>;
  };
  readonly webhooks: {
    /** Holds back events from now on. */
    pause(): Promise<void>;
    /** The events that were not accepted yet, in the order they happened. */
    held(): StoredEvent[];
    resume(options?: ResumeOptions): Promise<void>;
    /** Sends an event once more, accepted or not. */
    resend(eventId: string): Promise<void>;
    /** Resolves when no event is on its way: all were accepted, or wait for their next attempt. */
    settled(): Promise<void>;
  };
  /** The next call of this kind goes wrong. */
  failNext(call: FailingCall): void;
  close(): Promise<void>;
}

/** Payments as Stripe's API has them, on loopback, with pages for portal, checkout and invoices. */
export async function startPayments(options: PaymentsOptions): Promise<Payments> {
  const host = options.host ?? '127.0.0.1';
  const persistence = options.databaseUrl === undefined ? undefined : await openPostgres(options.databaseUrl);
  const store = await Store.open(persistence);
  const place = { publicUrl: options.publicUrl ?? '' };
  const world: World = {
    store,
    clock: new Clock(options.now),
    get publicUrl() {
      return place.publicUrl;
    },
    webhook: options.webhook,
  };
  const failures = new Failures();
  const courier = new Courier(world, options.signingTime ?? (() => new Date()));
  const timekeeper = new Timekeeper(world, courier);
  const answerApi = createApi({ world, failures, routes: apiRoutes, secretKey: options.secretKey });
  const respond = async (request: WebRequest): Promise<Answer | 'cut'> => {
    const answer = request.path.startsWith('/v1/') ? answerApi(request) : answerPage(world, request);
    await store.saved();
    timekeeper.noticeChange();
    return answer;
  };
  const server = await listen({ host, port: options.port ?? 0, respond }).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const origin = `http://${host.includes(':') ? `[${host}]` : host}:${server.port}`;
  place.publicUrl ||= origin;
  await store.saved();
  await timekeeper.catchUp();

  let closing: Promise<void> | undefined;
  const closeInOrder = async () => {
    await server.close();
    await courier.close();
    await timekeeper.close();
    await store.close();
  };
  return {
    origin,
    host,
    port: server.port,
    clock: { now: () => world.clock.now(), advanceTo: (date) => timekeeper.advanceTo(date) },
    webhooks: {
      pause: () => courier.pause(),
      held: () => courier.held(),
      resume: (resumeOptions) => courier.resume(resumeOptions),
      resend: (eventId) => courier.resend(eventId),
      settled: () => courier.deliverDue(),
    },
    failNext: (call) => failures.add(call),
    close: () => {
      closing ??= closeInOrder();
      return closing;
    },
  };
}

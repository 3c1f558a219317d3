import { createHmac } from 'node:crypto';
import type { Seconds } from '../clock.ts';
import type { Delivery, StoredEvent } from '../store/tables.ts';
import type { World } from '../world.ts';

const answerPatienceMs = 10_000;
const firstWaitSeconds = 2;
const longestWaitSeconds = 6 * 60 * 60;
// With waits that double up to six hours this is about three days, after which the real service stops trying too.
const attemptsMax = 24;

export interface ResumeOptions {
  /**
   * Given the held events in the order they happened, says which to send first, in which order and how often. What it
   * leaves out follows afterwards.
   */
  arrange?: (held: StoredEvent[]) => StoredEvent[];
}

/**
 * Carries events to the webhook endpoint, one at a time, in the order in which they happened. One that is not accepted
 * waits, longer every time, while those behind it go ahead: like the real service, it promises neither order nor once.
 */
export class Courier {
  readonly #world: World;
  readonly #signingTime: () => Date;
  readonly #closing = new AbortController();
  #isPaused = false;
  #round: Promise<void> | undefined;

  constructor(world: World, signingTime: () => Date) {
    this.#world = world;
    this.#signingTime = signingTime;
  }

  /** When an event is due to be sent, unless events are held. */
  nextAttemptAt(): Seconds | undefined {
    return this.#isPaused ? undefined : this.#nextDelivery()?.nextAttemptAt;
  }

  /** From now on events are held. Resolves when the one under way, if any, has been answered. */
  async pause(): Promise<void> {
    this.#isPaused = true;
    await this.#round;
  }

  /** Events not yet accepted, in the order they happened. */
  held(): StoredEvent[] {
    const ids = new Set(this.#world.store.all('delivery').map((delivery) => delivery.event));
    return this.#world.store.all('event').filter((event) => ids.has(event.id));
  }

  async resume(options: ResumeOptions = {}): Promise<void> {
    const arranged = options.arrange?.(this.held()) ?? [];
    for (const event of arranged) await this.resend(event.id);
    this.#isPaused = false;
    await this.deliverDue();
  }

  /** Sends an event once more, as the dashboard's button does. */
  async resend(eventId: string): Promise<void> {
    const isAccepted = await this.#attempt(eventId);
    const delivery = this.#world.store.all('delivery').find(({ event }) => event === eventId);
    if (delivery !== undefined) await this.#settle(delivery, isAccepted);
  }

  /** Resolves when nothing is due any more: everything was accepted, or waits for its next attempt. */
  deliverDue(): Promise<void> {
    this.#round ??= this.#deliverRound();
    return this.#round;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#round;
  }

  async #deliverRound(): Promise<void> {
    await null;
    try {
      while (!this.#isPaused && !this.#closing.signal.aborted) {
        const delivery = this.#nextDelivery();
        if (delivery === undefined || delivery.nextAttemptAt > this.#world.clock.seconds()) return;
        const isAccepted = await this.#attempt(delivery.event);
        if (this.#closing.signal.aborted && !isAccepted) return;
        await this.#settle(delivery, isAccepted);
      }
    } finally {
      // Nothing runs between the last look and this, so whoever comes later begins another round.
      this.#round = undefined;
    }
  }

  /** Of those that are due at the same moment, the one that was made first. */
  #nextDelivery(): Delivery | undefined {
    const deliveries = this.#world.store.all('delivery');
    return deliveries.sort((a, b) => a.nextAttemptAt - b.nextAttemptAt)[0];
  }

  async #attempt(eventId: string): Promise<boolean> {
    const { webhook, store } = this.#world;
    const event = store.find('event', eventId);
    // Without an endpoint, or once the event is forgotten, there is nothing left to send.
    if (webhook === undefined || event === undefined) return true;

    const body = JSON.stringify(event, null, 2);
    try {
      const response = await fetch(webhook.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'stripe-signature': signatureHeader(body, webhook.secret, this.#signingTime()),
          'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(answerPatienceMs)]),
      });
      await response.arrayBuffer();
      return response.ok;
    } catch {
      // Refused, cut or silent: the event waits for its next attempt.
      return false;
    }
  }

  async #settle(delivery: Delivery, isAccepted: boolean): Promise<void> {
    const { store, clock } = this.#world;
    store.transact(() => {
      const attempts = delivery.attempts + 1;
      if (isAccepted || attempts >= attemptsMax) store.remove('delivery', delivery.id);
      else {
        const wait = Math.min(firstWaitSeconds * 2 ** (attempts - 1), longestWaitSeconds);
        store.put('delivery', { ...delivery, attempts, nextAttemptAt: clock.seconds() + wait });
      }
      const event = store.find('event', delivery.event);
      if (isAccepted && event !== undefined) store.put('event', { ...event, pending_webhooks: 0 });
    });
    await store.saved();
  }
}

/** The `Stripe-Signature` header: when it was signed, and an HMAC of that moment and the exact body. */
export function signatureHeader(body: string, secret: string, signedAt: Date): string {
  const timestamp = Math.floor(signedAt.getTime() / 1000);
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return `t=${timestamp},v1=${signature}`;
}

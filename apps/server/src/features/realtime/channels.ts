import type { RealtimeEvent } from '@assay/contract';
import type { Recipient } from '../../platform/events/index.ts';
import type { UserId } from '../../platform/ids.ts';

/** An authenticated socket. */
export interface Subscriber {
  send(event: RealtimeEvent): void;
  /** Closes the socket if its token is no longer accepted. */
  recheck(): void;
  close(code: number, reason: string): void;
}

/** One channel per signed-in customer, with a socket for each of their tabs in this process. */
export class Channels {
  readonly #subscribers = new Map<string, Set<Subscriber>>();
  readonly #perCustomerMax: number;

  constructor({ perCustomerMax }: { perCustomerMax: number }) {
    this.#perCustomerMax = perCustomerMax;
  }

  get socketCount(): number {
    let count = 0;
    for (const sockets of this.#subscribers.values()) count += sockets.size;
    return count;
  }

  /** Returns false if the customer has the maximum number of sockets. */
  join(userId: UserId, subscriber: Subscriber): boolean {
    const sockets = this.#subscribers.get(userId) ?? new Set();
    if (sockets.size >= this.#perCustomerMax) return false;
    sockets.add(subscriber);
    this.#subscribers.set(userId, sockets);
    return true;
  }

  leave(userId: UserId, subscriber: Subscriber): void {
    const sockets = this.#subscribers.get(userId);
    sockets?.delete(subscriber);
    if (sockets?.size === 0) this.#subscribers.delete(userId);
  }

  deliver(recipient: Recipient, event: RealtimeEvent): void {
    for (const subscriber of this.#subscribers.get(recipient) ?? []) subscriber.send(event);
  }

  recheck(userId: UserId): void {
    for (const subscriber of this.#subscribers.get(userId) ?? []) subscriber.recheck();
  }

  closeAll(code: number, reason: string): void {
    for (const sockets of this.#subscribers.values()) {
      for (const subscriber of [...sockets]) subscriber.close(code, reason);
    }
  }
}

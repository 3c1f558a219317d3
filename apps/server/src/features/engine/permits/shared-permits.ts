import { randomUUID } from 'node:crypto';
import type {
  HostPermit,
  HostPermits,
  HostRest,
  MailPlace,
  PermitLimits,
  PermitRequest,
} from '@assay/verifier';
import { Batch } from '../../../platform/batch.ts';
import { type Schedule, systemSchedule } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import {
  type DirectConnectionOptions,
  keepDirectConnection,
} from '../../../platform/database/direct-connection.ts';
import type { Logger } from '../../../platform/logging/index.ts';
import {
  exchangePermits,
  type Holder,
  type PermitAnswer,
  type PermitNews,
  permitsChannel,
} from './permits.store.ts';

export interface SharedPermitsOptions {
  readonly db: Db;
  readonly logger: Logger;
  /** Names the address that the connections come from. Engines with the same name respect the same rests. */
  readonly egress: string;
  /** The part of the address's connections to draw from. Engines with the same share have its limits in common. */
  readonly share: string;
  readonly limits: PermitLimits;
  /** The part of a provider's own limit that this share may use; all of it by default. */
  readonly partOfProvider?: number;
  readonly schedule?: Schedule;
}

interface Waiting {
  readonly request: PermitRequest;
  readonly answer: (answer: HostPermit | HostRest) => void;
  readonly onShort: () => void;
  isAsked: boolean;
  isShort: boolean;
}

/** A holder reports this often. After five times as long, the database frees what it held. */
const beatMs = 1_000;
const retryMs = 250;

/**
 * The limits of one egress address, which all engines that use it share in the database. Requests and releases of one turn
 * of the event loop, or during a running exchange, travel in one exchange. A failed exchange is repeated with the same
 * content, so requests only wait longer.
 * See docs/decisions/verifier-shared-permits.md.
 */
export class SharedPermits implements HostPermits {
  readonly #options: SharedPermitsOptions;
  readonly #schedule: Schedule;
  readonly #holder: Holder;
  readonly #exchanges = new Batch<void>({
    // Requests that arrive during a failing exchange wait for the retry.
    call: async () => {
      if (!this.#isAway) await this.#exchange();
    },
  });
  readonly #held = new Map<number, PermitRequest>();
  readonly #waiting = new Map<number, Waiting>();
  #rests = new Map<string, number>();
  #lastNumber = 0;
  #exchangeCount = 0;
  /** The database has forgotten what we have. */
  #mustRestate = false;
  /** The last exchange failed, and a timer will repeat it. */
  #isAway = false;
  #isWarned = false;
  #cancelTimer = () => {};
  #wanted: ReadonlySet<string> = new Set();
  #onWanted: (hosts: ReadonlySet<string>) => void = () => {};
  #onCrowding: (customer: string) => void = () => {};

  constructor(options: SharedPermitsOptions) {
    this.#options = options;
    this.#schedule = options.schedule ?? systemSchedule;
    this.#holder = {
      id: randomUUID(),
      egress: options.egress,
      share: `${options.egress}/${options.share}`,
      limits: options.limits,
    };
  }

  acquire(request: PermitRequest, signal: AbortSignal, onShort: () => void): Promise<HostPermit | HostRest> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      this.#lastNumber += 1;
      const number = this.#lastNumber;
      const onAbort = () => {
        this.#waiting.delete(number);
        reject(signal.reason);
        this.#exchangeSoon();
      };
      signal.addEventListener('abort', onAbort, { once: true });
      const answer: Waiting['answer'] = (found) => {
        signal.removeEventListener('abort', onAbort);
        resolve(found);
      };
      this.#waiting.set(number, { request, answer, onShort, isAsked: false, isShort: false });
      this.#exchangeSoon();
    });
  }

  holdOff({ host, provider }: MailPlace, forMs: number, scope: 'host' | 'provider'): void {
    this.#rests.set(scope === 'host' ? host : provider, forMs);
    this.#exchangeSoon();
  }

  watchWanted(onWanted: (hosts: ReadonlySet<string>) => void): void {
    this.#onWanted = onWanted;
  }

  watchCrowding(onCrowding: (customer: string) => void): void {
    this.#onCrowding = onCrowding;
  }

  /** Another engine changed something that may affect our requests. */
  onNotice(holderId: string | undefined): void {
    if (holderId === this.#holder.id) this.#exchangeSoon();
  }

  /** Gives everything back. */
  async close(): Promise<void> {
    await this.#exchanges.close();
    this.#held.clear();
    this.#waiting.clear();
    if (this.#exchangeCount > 0) await this.#exchange();
    this.#cancelTimer();
  }

  #exchangeSoon(): void {
    if (!this.#isAway) void this.#exchanges.add();
  }

  async #exchange(): Promise<void> {
    this.#cancelTimer();
    const rests = this.#rests;
    this.#rests = new Map();
    const news = this.#gather(rests);
    const answer = await exchangePermits(this.#options.db, this.#holder, news).catch((error: unknown) => {
      this.#rests = new Map([...rests, ...this.#rests]);
      this.#noteAway(error);
    });
    if (!answer) return;
    this.#isWarned = false;
    this.#take(answer, news);
    if (this.#held.size + this.#waiting.size > 0) this.#exchangeIn(beatMs);
  }

  #exchangeIn(delayMs: number): void {
    this.#cancelTimer = this.#schedule(() => {
      this.#isAway = false;
      this.#exchangeSoon();
    }, delayMs);
  }

  #take(answer: PermitAnswer, news: PermitNews): void {
    if (answer.is_known) this.#noteAsked(news);
    else this.#restate();
    for (const number of answer.granted) this.#grant(number);
    for (const { number, rest_ms: restMs } of answer.resting) this.#answer(number, { restMs });
    this.#tellShort(news);
    this.#noteWanted(answer.wanted);
    if (answer.crowding !== null) this.#onCrowding(answer.crowding);
  }

  #noteAway(error: unknown): void {
    this.#isAway = true;
    this.#exchangeIn(retryMs);
    if (this.#isWarned) return;
    this.#isWarned = true;
    this.#options.logger.warn({ err: error }, 'could not ask for connections; trying until it works');
  }

  #gather(rests: ReadonlyMap<string, number>): PermitNews {
    const waiting = [...this.#waiting];
    const unasked = waiting.filter(([, { isAsked }]) => !isAsked);
    const restated = this.#mustRestate ? [...this.#held] : [];
    this.#exchangeCount += 1;
    return {
      exchange: this.#exchangeCount,
      wasHere: this.#held.size > 0 || unasked.length < waiting.length,
      held: [...this.#held.keys()],
      waiting: waiting.map(([number]) => number),
      asked: [
        ...restated.map(([number, request]) => ({ number, ...this.#asked(request), is_held: true })),
        ...unasked.map(([number, { request }]) => ({ number, ...this.#asked(request), is_held: false })),
      ],
      rests: [...rests].map(([host, for_ms]) => ({ host, for_ms })),
    };
  }

  #asked({ place, customer }: PermitRequest) {
    return { ...this.#placeInShare(place), customer };
  }

  /** Our share gets its part of what the provider allows to the whole address, and at least one connection. */
  #placeInShare({ host, provider, providerConnections }: MailPlace) {
    if (providerConnections === undefined) return { host, provider, provider_limit: null };
    const part = this.#options.partOfProvider ?? 1;
    return { host, provider, provider_limit: Math.max(1, Math.floor(providerConnections * part)) };
  }

  /** Sends everything again, because the database was down for long or lost these tables. */
  #restate(): void {
    this.#mustRestate = true;
    for (const waiting of this.#waiting.values()) waiting.isAsked = false;
    this.#exchangeSoon();
  }

  #noteAsked({ asked }: PermitNews): void {
    this.#mustRestate = false;
    for (const { number } of asked) {
      const waiting = this.#waiting.get(number);
      if (waiting) waiting.isAsked = true;
    }
  }

  #grant(number: number): void {
    const request = this.#waiting.get(number)?.request;
    if (request) this.#held.set(number, request);
    this.#answer(number, {
      release: () => {
        if (this.#held.delete(number)) this.#exchangeSoon();
      },
    });
  }

  #answer(number: number, answer: HostPermit | HostRest): void {
    const waiting = this.#waiting.get(number);
    // The request was cancelled, or is refused: the next exchange leaves it out.
    if (!waiting || 'restMs' in answer) this.#exchangeSoon();
    this.#waiting.delete(number);
    waiting?.answer(answer);
  }

  #tellShort({ waiting: numbers }: PermitNews): void {
    for (const number of numbers) {
      const waiting = this.#waiting.get(number);
      if (!waiting || waiting.isShort) continue;
      waiting.isShort = true;
      waiting.onShort();
    }
  }

  #noteWanted(hosts: readonly string[]): void {
    if (hosts.length === this.#wanted.size && hosts.every((host) => this.#wanted.has(host))) return;
    this.#wanted = new Set(hosts);
    this.#onWanted(this.#wanted);
  }
}

/** Shared permits that also listen for changes of other engines, so that no request waits for the next beat. */
export async function openSharedPermits(
  options: SharedPermitsOptions & DirectConnectionOptions,
): Promise<{ permits: HostPermits; close(): Promise<void> }> {
  const permits = new SharedPermits(options);
  const line = await keepDirectConnection({
    ...options,
    channel: permitsChannel,
    onMessage: (holderId) => permits.onNotice(holderId),
  });
  return {
    permits,
    close: async () => {
      await line.close();
      await permits.close();
    },
  };
}

import type { Clock } from '../clock.ts';
import { ProviderGate, type ShareLedger } from './provider-gate.ts';
import { exchangeShares, isRecent, newShareState, type ShareLimit, type ShareState } from './share-window.ts';

/** A process that asks more providers than this forgets those that it has not asked for an hour. */
const statesMax = 10_000;

/** The gates of all providers, from one egress address. */
export class Governor {
  readonly #ledger: ShareLedger;
  readonly #clock: Clock;
  readonly #gates = new Map<string, ProviderGate>();

  constructor(ledger: ShareLedger, clock: Clock) {
    this.#ledger = ledger;
    this.#clock = clock;
  }

  gateOf(provider: string, limit: ShareLimit): ProviderGate {
    const known = this.#gates.get(provider);
    if (known !== undefined) return known;
    const gate = new ProviderGate(provider, limit, this.#ledger, this.#clock);
    this.#gates.set(provider, gate);
    return gate;
  }

  /** Forgets the gates of providers that nobody asks any more. */
  keepOnly(providers: ReadonlySet<string>): void {
    for (const [provider, gate] of this.#gates) {
      if (providers.has(provider)) continue;
      this.#gates.delete(provider);
      void gate.close();
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#gates.values()].map((gate) => gate.close()));
    this.#gates.clear();
  }
}

/** Keeps the windows in this process, for an engine that has its egress address alone. */
export function createMemoryLedger(clock: Clock): ShareLedger {
  const states = new Map<string, ShareState>();
  return {
    isShared: false,
    exchange(provider, limit, report) {
      const now = clock.now();
      const state = states.get(provider) ?? newShareState();
      if (states.size >= statesMax)
        for (const [name, known] of states) if (!isRecent(known, now)) states.delete(name);
      states.set(provider, state);
      return exchangeShares(state, limit, { holder: 'this', report, now });
    },
  };
}

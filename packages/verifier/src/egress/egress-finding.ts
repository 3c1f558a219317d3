import type { Egress } from '../smtp/egress.ts';

export interface EgressCheckOptions {
  readonly helo: string;
  readonly mailFrom: string;
  /** Name servers as `host:port`; the system's by default. */
  readonly dns?: readonly string[];
  readonly egress: Egress;
  readonly smtpPort: number;
  readonly allowRanges: readonly string[];
  /** Mail hosts to try port 25 at. */
  readonly targets: readonly string[];
  /** Zones of DNS block lists. */
  readonly blockLists: readonly string[];
  /** Whether to ask our own domains for the mailboxes of postmasters. A check that repeats all day need not. */
  readonly asksContacts?: boolean;
  /** The public address, where the machine does not have it itself (NAT). */
  readonly address?: string | undefined;
  /** Gives the check up; its findings are then worth nothing. */
  readonly signal?: AbortSignal | undefined;
}

export const egressChecks = [
  'port_25',
  'address',
  'reverse_dns',
  'helo',
  'spf',
  'block_lists',
  'contacts',
] as const;
export type EgressCheck = (typeof egressChecks)[number];

export interface EgressFinding {
  readonly check: EgressCheck;
  /** `unclear`: we could not find out; `skipped`: it does not apply here. */
  readonly status: 'ok' | 'problem' | 'unclear' | 'skipped';
  readonly detail: string;
  /** What to do about a problem. */
  readonly fix?: string;
}

import type { Clock } from '../clock.ts';
import { type AllowanceStore, createMemoryStore } from './allowances.store.ts';

export interface AllowanceLimit {
  /** What is limited, such as `customer`. */
  readonly policy: string;
  /** As many in each window, in all processes together. */
  readonly max: number;
  readonly windowSeconds: number;
}

export interface AllowanceAnswer {
  readonly isExceeded: boolean;
  /** Left in this window, as far as this process knows. */
  readonly remaining: number;
  readonly secondsLeft: number;
}

export interface SharedAllowance {
  /** Counts one call. */
  take(key: string): Promise<AllowanceAnswer>;
}

/** Part of the limit that a process leases at a time: a twentieth of the limit costs at most twenty queries a window. */
const leasedShare = 0.05;
/**
 * Part of the limit that each process gives without a lease, so that callers who call seldom cost no query. It is counted
 * with the first lease; a process that never leases exceeds the limit by no more than this, so ten of them by a tenth.
 */
const freeShare = 0.01;
/** More callers in one window than this are forgotten together; what they have leased stays counted. */
const callersMax = 100_000;

/** What this process knows of one caller in this window. */
interface Account {
  used: number;
  /** How many it may use before it leases again. */
  allowed: number;
  /** What was left for all processes together when it leased last. */
  unleased: number;
  hasLeased: boolean;
  leasing: Promise<void> | null;
}

/**
 * A limit per window that all processes keep together without a query for each call: each leases allowances in batches
 * from the store, and uses them up by itself.
 * See docs/decisions/rate-limits-leased.md.
 */
export function createSharedAllowance(
  { store, clock }: { readonly store: AllowanceStore; readonly clock: Clock },
  { policy, max, windowSeconds }: AllowanceLimit,
): SharedAllowance {
  const windowMs = windowSeconds * 1_000;
  const free = Math.floor(max * freeShare);
  const batch = Math.max(1, Math.floor(max * leasedShare));
  const accounts = new Map<string, Account>();
  const alone = createMemoryStore();
  let windowStart = 0;

  function accountOf(key: string): Account {
    const now = clock.now().getTime();
    const start = now - (now % windowMs);
    if (start !== windowStart || accounts.size >= callersMax) accounts.clear();
    windowStart = start;
    let account = accounts.get(key);
    if (!account) {
      account = { used: 0, allowed: free, unleased: max - free, hasLeased: false, leasing: null };
      accounts.set(key, account);
    }
    return account;
  }

  async function lease(key: string, account: Account): Promise<void> {
    // What was given freely is counted with the first lease.
    const count = batch + (account.hasLeased ? 0 : account.used);
    const window = { windowStart: new Date(windowStart), windowSeconds };
    const request = { policy, key, ...window, count };
    // While the store is away, each process counts by itself, so that calls that need no database are still answered.
    const leased = await store.lease(request).catch(() => alone.lease(request));
    const leasedBefore = leased - count;
    const granted = Math.min(Math.max(max - leasedBefore, 0), count);
    account.allowed = (account.hasLeased ? account.allowed : 0) + granted;
    account.unleased = Math.max(max - leased, 0);
    account.hasLeased = true;
  }

  /** Calls that come while a lease is on its way wait for the same one. */
  function leaseOnce(key: string, account: Account): Promise<void> {
    account.leasing ??= lease(key, account).finally(() => {
      account.leasing = null;
    });
    return account.leasing;
  }

  return {
    take: async (key) => {
      const account = accountOf(key);
      while (account.used >= account.allowed && (account.unleased > 0 || !account.hasLeased)) {
        await leaseOnce(key, account);
      }
      const isExceeded = account.used >= account.allowed;
      if (!isExceeded) account.used += 1;
      return {
        isExceeded,
        remaining: account.unleased + Math.max(account.allowed - account.used, 0),
        secondsLeft: Math.max(1, Math.ceil((windowStart + windowMs - clock.now().getTime()) / 1_000)),
      };
    },
  };
}

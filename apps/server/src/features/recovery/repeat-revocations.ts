import { STANDINGS } from '@assay/contract/operator';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/index.ts';
import type { JobQueue } from '../../platform/queue/index.ts';
import {
  addOperator,
  disableCouponByOperator,
  findOperatorRole,
  removeOperator,
  setStanding,
} from '../operator/index.ts';
import type { Revocation } from './deletion-log.ts';

interface RevocationParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly queue: JobQueue;
}

/** Of the machines, and between the start of an action and its commit. */
const clockDifferenceMaxMs = 10 * 60_000;

/**
 * Repeats removals of operators and of their role admin, standings and disabled coupons that the restored log of operators lacks, in their order.
 * Each is logged again with its actor and reason. Returns how many there were.
 */
export async function repeatRevocations(
  parts: RevocationParts,
  revocations: readonly Revocation[],
  takenAt: Date,
): Promise<number> {
  // Earlier ones that are missing belong to a past that an earlier restore replaced.
  const since = new Date(takenAt.getTime() - clockDifferenceMaxMs).toISOString();
  const recent = revocations.filter(({ recordedAt }) => recordedAt >= since);
  const known = await findKnownHashes(
    parts.db,
    recent.map(({ hash }) => hash),
  );
  // A line may be in the log twice.
  const missing = new Map(
    recent.filter(({ hash }) => !known.has(hash)).map((revocation) => [revocation.hash, revocation]),
  );
  const inOrder = [...missing.values()].sort((left, right) =>
    left.recordedAt.localeCompare(right.recordedAt),
  );
  for (const revocation of inOrder) await repeat(parts, revocation).catch(ignoreGone);
  return inOrder.length;
}

async function findKnownHashes(db: Db, hashes: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ hash: string }>`
    select encode(hash, 'hex') as hash from operator_actions where encode(hash, 'hex') = any(${hashes}::text[])`.execute(
    db,
  );
  return new Set(rows.map(({ hash }) => hash));
}

async function repeat(
  parts: RevocationParts,
  { kind, customerId, about, actorId, reason }: Revocation,
): Promise<void> {
  const order = { actorId, reason };
  if (kind === 'coupon.disabled') return disableCouponByOperator(parts, order, about);
  if (customerId === null) return;
  if (kind === 'operator.removed') {
    await removeOperator(parts, order, customerId);
    return;
  }
  if (kind === 'operator.role') {
    if ((await findOperatorRole(parts.db, customerId)) === 'admin')
      await addOperator(parts, order, { userId: customerId, role: 'support' });
    return;
  }
  const standing = STANDINGS.find((known) => known === about);
  if (standing) await setStanding(parts, order, { customerId, standing });
}

/** The account or the coupon is newer than the backup, or is deleted; or an operator was added later and not restored. */
function ignoreGone(error: unknown): void {
  const codes = ['customer_not_found', 'coupon_not_found', 'operator_standing'];
  if (!(error instanceof AppError && codes.includes(error.code))) throw error;
}

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Deadline } from '../../support/until.ts';
import type { Account, Books, Target } from './targets.ts';

export interface KillOptions {
  readonly checks: number;
  readonly atOnce: number;
  readonly kills: number;
  addressOf(number: number): string;
}

const killEveryMs = 1_500;
const retryMs = 100;
const patienceMs = 300_000;

/**
 * Checks addresses while the processes of a target are killed, and repeats each call with its key until it is answered, as a customer's
 * program does. Returns what is wrong afterwards: a check that is lost or doubled, or a balance that does not agree.
 */
export async function checkThroughKills(
  target: Target,
  account: Account,
  { checks, atOnce, kills, addressOf }: KillOptions,
): Promise<string[]> {
  const before = await target.booksOf(account);
  const deadline = new Deadline(patienceMs);
  const verdicts = new Map<string, Set<string>>();
  let next = 0;
  const checkOneByOne = async () => {
    while (next < checks) {
      const number = next++;
      const [address, key] = [addressOf(number), randomUUID()];
      const answered = (time: string) =>
        deadline.until(
          `check ${number} of ${target.name} is answered ${time}`,
          () => callOnce(target, account, { address, key }),
          retryMs,
        );
      const first = await answered('for the first time');
      // An answer that comes again must be the same.
      verdicts.set(key, new Set([first, await answered('again')]));
    }
  };
  let isOver = false;
  const checking = Promise.all(Array.from({ length: atOnce }, checkOneByOne)).finally(() => {
    isOver = true;
  });
  for (let killed = 0; killed < kills && !isOver; killed++) {
    await Promise.race([pause(killEveryMs), checking]);
    if (!isOver) await target.killOne();
  }
  await checking;
  const settled = await deadline
    .until('nothing is held', async () => {
      const books = await target.booksOf(account);
      return books.held === 0 && books;
    })
    .catch(() => target.booksOf(account));
  return disagreements(before, settled, { checks, verdicts });
}

async function callOnce(
  target: Target,
  account: Account,
  { address, key }: { readonly address: string; readonly key: string },
): Promise<string | null> {
  const answer = await fetch(new URL(target.path, target.url), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${account.customer.token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({ email_address: address }),
  });
  const text = await answer.text();
  if (answer.status !== 200) return null;
  const { verdict, email_address_status } = JSON.parse(text);
  return verdict ?? email_address_status ?? null;
}

function disagreements(
  before: Books,
  after: Books,
  { checks, verdicts }: { readonly checks: number; readonly verdicts: ReadonlyMap<string, Set<string>> },
): string[] {
  const answered = [...verdicts.values()];
  const due = answered.filter((given) => !given.has('UNKNOWN')).length;
  return [
    verdicts.size !== checks && `${verdicts.size} of ${checks} calls answered`,
    answered.some(({ size }) => size > 1) && 'a repeated call got another verdict',
    after.checks - before.checks !== checks && `${after.checks - before.checks} checks for ${checks} calls`,
    after.due - before.due !== due && `${after.due - before.due} checks with a price, ${due} answered`,
    before.balance - after.balance !== due && `${before.balance - after.balance} credits taken for ${due}`,
    after.held > 0 && `${after.held} credits still held`,
  ].filter((fault) => fault !== false);
}

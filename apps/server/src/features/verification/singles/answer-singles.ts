import type { SingleValidation, SingleWait } from '@assay/contract';
import { hasRealDomain, type WaitCause } from '../../engine/index.ts';
import type { ListedSingle } from './singles.store.ts';
import { type SinglesParts, singleAnswer } from './start-single.ts';

/** The answers for checks, with what the unfinished ones wait for now. */
export async function answerSingles(
  { db, clock, availability }: Pick<SinglesParts, 'db' | 'clock' | 'availability'>,
  singles: readonly ListedSingle[],
): Promise<SingleValidation[]> {
  const needNetwork = singles.filter(needsNetwork);
  const isClosed = needNetwork.length > 0 && (await availability.isClosed(db));
  const now = clock.now();
  return singles.map((single) => ({
    ...singleAnswer(single),
    waiting: isClosed && needNetwork.includes(single) ? portClosed(single) : waitAnswer(single, now),
  }));
}

const needsNetwork = (single: ListedSingle): boolean =>
  single.status !== 'COMPLETE' && !single.is_sandbox && hasRealDomain([domainOf(single)]);

const domainOf = ({ email_address }: ListedSingle): string =>
  email_address.slice(email_address.lastIndexOf('@') + 1);

/** Nobody knows when the port is open again. */
const portClosed = (single: ListedSingle): SingleWait => ({
  cause: 'our_network',
  host: domainOf(single),
  until: null,
  text: textOf.our_network(domainOf(single)),
});

function waitAnswer(single: ListedSingle, now: Date): SingleWait | null {
  const { wait, status } = single;
  if (wait === null || status === 'COMPLETE' || new Date(wait.until) <= now) return null;
  return { ...wait, text: textOf[wait.cause](domainOf(single)) };
}

const textOf: Readonly<Record<WaitCause, (domain: string) => string>> = {
  mail_host: (domain) => `Waiting for the mail host of ${domain} to answer.`,
  our_connections: (domain) =>
    `Waiting for a free connection to the mail host of ${domain}: your other checks use those that you may have.`,
  our_limits: (domain) =>
    `Waiting before we ask the provider of ${domain} again: it blocks those who ask about too many mailboxes that do not exist.`,
  our_network: () => 'Waiting for our network: we cannot reach mail hosts at the moment.',
  our_name_server: (domain) => `Waiting for our name server: we cannot look up ${domain} at the moment.`,
};

import type { SingleWait } from '@assay/contract';
import {
  egressAwayNote,
  noConnectionNote,
  ownLimitNote,
  resolverAwayNote,
  type TryAgain,
} from '@assay/verifier';

/** How long hosts may defer an address before it is UNKNOWN: short for a single, for which a person waits, long in a list. */
const patienceMs = { single: 10 * 60_000, list: 4 * 3_600_000 } as const;

/** Whether we try an address again that its host first deferred at `since`. */
export const hasPatience = (
  kind: keyof typeof patienceMs,
  { now, since, afterMs }: { readonly now: Date; readonly since: Date; readonly afterMs: number },
): boolean => now.getTime() - since.getTime() + afterMs <= patienceMs[kind];

/** How often hosts deferred the addresses of a job. Jobs of older versions do not carry the count. */
export const deferralCountOf = (payload: {
  readonly since?: string | undefined;
  readonly attempts?: number | undefined;
}): number => payload.attempts ?? (payload.since === undefined ? 0 : 1);

const wholeSecondsMs = ({ afterMs }: TryAgain<unknown>): number => Math.ceil(afterMs / 1_000) * 1_000;
const laterThan = (now: Date, finding: TryAgain<unknown>): Date =>
  new Date(now.getTime() + wholeSecondsMs(finding));

export type WaitCause = SingleWait['cause'];

const ourCauses: ReadonlyMap<string | undefined, WaitCause> = new Map([
  [noConnectionNote, 'our_connections'],
  [ownLimitNote, 'our_limits'],
  [egressAwayNote, 'our_network'],
  [resolverAwayNote, 'our_name_server'],
]);

export const causeOf = ({ evidence }: TryAgain<unknown>): WaitCause =>
  ourCauses.get(evidence.at(-1)?.note) ?? 'mail_host';

/** For which mail host an address waits, and until when. Without a host in the evidence it is the address's domain. */
export const waitOf = (
  finding: TryAgain<unknown>,
  now: Date,
): { readonly host: string; readonly until: Date } => ({
  host:
    finding.evidence.findLast(({ host }) => host !== undefined)?.host ??
    finding.email.slice(finding.email.lastIndexOf('@') + 1),
  until: laterThan(now, finding),
});

/** Our own limit is one for all hosts of the provider. */
const listWaitOf = (finding: TryAgain<unknown>, now: Date) => {
  const wait = waitOf(finding, now);
  if (causeOf(finding) !== 'our_limits') return wait;
  return { ...wait, host: finding.mxProvider ?? wait.host, cause: 'our_limits' as const };
};

/** Which rows of a list wait, for which mail host and until when. */
export const waitsOf = <Item extends { readonly rowNumber: number }>(
  deferred: readonly TryAgain<Item>[],
  { now, since }: { readonly now: Date; readonly since: Date },
) =>
  deferred.map((finding) => ({
    ...listWaitOf(finding, now),
    row: { rowNumber: finding.item.rowNumber, since, attempts: finding.deferralCount },
  }));

/** One job for each delay, in whole seconds, and each number of attempts. */
export function laterJobs<Item, Payload>(
  deferred: readonly TryAgain<Item>[],
  payloadOf: (items: readonly Item[], attempts: number) => Payload,
): { payload: Payload; afterMs: number }[] {
  const groups = Map.groupBy(deferred, (finding) => `${wholeSecondsMs(finding)} ${finding.deferralCount}`);
  return [...groups.values()].map((findings) => {
    const first = findings[0] as TryAgain<Item>;
    return {
      payload: payloadOf(
        findings.map(({ item }) => item),
        first.deferralCount,
      ),
      afterMs: wholeSecondsMs(first),
    };
  });
}

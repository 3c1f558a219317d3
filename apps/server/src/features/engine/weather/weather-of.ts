import {
  type EvidenceStage,
  egressAwayNote,
  type Finding,
  noConnectionNote,
  ownLimitNote,
  publishedBrands,
  type Reason,
} from '@assay/verifier';

/** How a mail provider answered; `held_back`: our own limit kept us from asking. */
export type Weather = 'answered' | 'deferred' | 'blocked' | 'timed_out' | 'held_back';

const silences: ReadonlySet<Reason> = new Set([
  'connection_refused',
  'connection_timeout',
  'connection_lost',
  'reply_timeout',
]);
const deferrals: ReadonlySet<Reason> = new Set(['throttled', 'greylisted', 'temporary_failure']);
/** We could not ask for a reason of ours, which says nothing about the provider. */
const notAsked: ReadonlySet<string | undefined> = new Set([egressAwayNote, noConnectionNote]);

/** Null where no mail host was asked. */
export function weatherOf({
  kind,
  reason,
  evidence,
}: Pick<Finding<unknown>, 'kind' | 'reason'> & {
  readonly evidence: readonly EvidenceStage[];
}): Weather | null {
  const last = evidence.at(-1);
  if (last?.note === ownLimitNote) return 'held_back';
  if (notAsked.has(last?.note) || !evidence.some(({ host }) => host !== undefined)) return null;
  if (reason === 'blocked') return 'blocked';
  if (silences.has(reason)) return 'timed_out';
  return kind === 'try_again' || deferrals.has(reason) ? 'deferred' : 'answered';
}

let brands: ReadonlySet<string> | undefined;

/** The provider by name if its limits are published. Strangers choose the names of all other hosts, which count together. */
export function weatherPlace(provider: string | undefined): string {
  brands ??= publishedBrands();
  return provider !== undefined && brands.has(provider) ? provider : otherProviders;
}

export const otherProviders = 'others';

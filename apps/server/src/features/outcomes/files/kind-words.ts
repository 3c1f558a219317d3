import type { ReportedKind } from '@assay/contract';

/** What senders and their exports call what happened. */
const words: Readonly<Record<ReportedKind | 'nothing', readonly string[]>> = {
  hard: [
    'hard',
    'hard bounce',
    'hard bounced',
    'hardbounce',
    'permanent',
    'permanent bounce',
    'permanent failure',
    'permanent fail',
    'bad email address',
    'invalid email',
  ],
  soft: [
    'soft',
    'soft bounce',
    'soft bounced',
    'softbounce',
    'transient',
    'temporary',
    'temporary failure',
    'temporary fail',
    'deferred',
    'deferral',
    'delay',
    'delayed',
    'delivery delayed',
    'message delayed',
    'transient bounce',
  ],
  block: ['block', 'blocked', 'policy', 'spam notification', 'spam block'],
  bounce: [
    'bounce',
    'bounced',
    'failed',
    'failure',
    'fail',
    'undelivered',
    'undeliverable',
    'not delivered',
    'delivery failed',
    'message delivery failed',
    'message bounced',
    'out of band',
    'returned',
  ],
  complaint: [
    'complaint',
    'complaints',
    'complained',
    'spam',
    'spam report',
    'spamreport',
    'spam complaint',
    'marked as spam',
    'abuse',
    'abuse report',
    'junk',
    'feedback loop',
  ],
  unsubscribed: [
    'unsubscribe',
    'unsubscribed',
    'unsubscribes',
    'unsub',
    'opt out',
    'optout',
    'opted out',
    'list unsubscribe',
    'link unsubscribe',
    'group unsubscribe',
  ],
  delivered: ['delivered', 'delivery', 'delivery succeeded', 'message delivered', 'inbox'],
  auto_reply: [
    'auto reply',
    'autoreply',
    'auto response',
    'autoresponse',
    'automatic reply',
    'out of office',
    'vacation',
  ],
  not_sent: [
    'not sent',
    'dropped',
    'drop',
    'suppressed',
    'suppression',
    'reject',
    'rejected',
    'skipped',
    'generation rejection',
    'generation failure',
    'policy rejection',
    'error',
  ],
  nothing: [
    'sent',
    'send',
    'message sent',
    'processed',
    'queued',
    'accepted',
    'injection',
    'request',
    'requests',
    'scheduled',
    'open',
    'opened',
    'opens',
    'unique opened',
    'first opening',
    'initial open',
    'proxy open',
    'click',
    'clicked',
    'clicks',
    'subscribe',
    'subscribed',
    'group resubscribe',
    'message loaded',
    'message link clicked',
  ],
};

const kinds: ReadonlyMap<string, ReportedKind | 'nothing'> = new Map(
  Object.entries(words).flatMap(([kind, names]) =>
    names.map((name) => [name, kind as ReportedKind | 'nothing'] as const),
  ),
);
const wordLengthMax = 60;

/** What a cell says that happened; `nothing` for what we do not keep, such as that a mail was opened; undefined for other words. */
export function readKind(cell: string): ReportedKind | 'nothing' | undefined {
  if (cell.length > wordLengthMax) return undefined;
  const spaced = cell
    .trim()
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .trim();
  return kinds.get(spaced) ?? kinds.get(spaced.replace(/^email /, ''));
}

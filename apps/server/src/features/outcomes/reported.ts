import type { ReportedKind } from '@assay/contract';
import { type BounceFinding, type BounceReason, explainReported } from '@assay/verifier/bounces';
import type { OutcomeReport } from './outcome.ts';

const reasons: Readonly<Record<ReportedKind, BounceReason>> = {
  delivered: 'delivered',
  bounce: 'refused_unexplained',
  hard: 'hard_bounce',
  soft: 'soft_bounce',
  block: 'blocked',
  complaint: 'complaint',
  unsubscribed: 'unsubscribed',
  auto_reply: 'auto_reply',
  not_sent: 'suppressed_by_sender',
};

/** What a kind with a reply of the host means: the reply says more than the name that somebody gives it. */
export const judgeReported = (kind: ReportedKind, recipient: string, text = ''): BounceFinding =>
  explainReported({ recipient, reason: reasons[kind], rule: `reported-${kind}`, text });

export const reportsPerPage = 200;

/** Reports as a job writes them, in pages that are short enough to read between two calls: many objects at once would delay those. */
export async function writePages(
  write: (page: Buffer) => Promise<void>,
  reports: readonly OutcomeReport[],
): Promise<void> {
  for (let start = 0; start < reports.length; start += reportsPerPage)
    await write(Buffer.from(JSON.stringify(reports.slice(start, start + reportsPerPage))));
}

/** The reports of a page that a job wrote. */
export const readPage = (page: Uint8Array): OutcomeReport[] =>
  (JSON.parse(Buffer.from(page).toString()) as (Omit<OutcomeReport, 'at'> & { readonly at: string })[]).map(
    (report) => ({ ...report, at: new Date(report.at) }),
  );

/** The clocks of senders are not always right. */
const aheadMs = 86_400_000;

export const isTooLate = (at: Date, now: Date): boolean => at.getTime() > now.getTime() + aheadMs;

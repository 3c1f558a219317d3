import { parseAddress } from '@assay/verifier';
import { bounceBytesMax, explainMail, readMailDate, splitMailbox } from '@assay/verifier/bounces';
import { type OutcomeReport, slack } from '../outcome.ts';
import { isTooLate } from '../reported.ts';
import type { FileFindings } from './file-findings.ts';

/**
 * What a mail that came back reports: one outcome for each recipient, nothing, or what is wrong with it. Its `Message-ID` is no name of
 * the event: the host that wrote it has not the ids of the sender.
 */
export function reportsOfMail(mail: Buffer, now: Date): OutcomeReport[] | string {
  const read = mail.subarray(0, bounceBytesMax);
  const findings = explainMail(read);
  if (findings === undefined) return 'This is no mail.';
  const said = findings.filter(({ reason }) => reason !== 'no_report');
  if (said.length === 0) return [];
  const at = readMailDate(read);
  if (at === undefined) return 'The mail has no date.';
  if (isTooLate(at, now)) return 'The date of the mail is in the future.';
  const named = said.filter(({ recipient }) => recipient !== null && parseAddress(recipient).ok);
  if (named.length === 0) return 'The mail does not say to whom it could not be delivered.';
  return named.map(({ recipient, ...finding }) => ({
    email: recipient as string,
    finding,
    at,
    slackSeconds: slack.mail,
  }));
}

/** Reads a mail, or all mails of an mbox. */
export async function readMails(bytes: Buffer, findings: FileFindings, now: Date): Promise<void> {
  for (const mail of splitMailbox(bytes)) {
    const place = findings.next();
    const reports = reportsOfMail(mail, now);
    if (typeof reports === 'string') findings.refuse(place, reports);
    else if (reports.length === 0) findings.saidNothing();
    else for (const report of reports) await findings.add(place, report);
  }
}

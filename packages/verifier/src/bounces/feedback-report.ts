import { type BounceFinding, type BounceJudgement, judgement } from './bounce-reasons.ts';
import { addressesIn, firstAddressIn } from './mail/addresses.ts';
import { allOf, headerOf, type Mail, type MailHeaders, readHeaders } from './mail/mail.ts';
import { returnedHeaders, returnedRecipients } from './text-report.ts';

/** A feedback report (RFC 5965): what a person did with a mail that arrived. */
export function explainFeedback(mail: Mail, countMax: number): BounceFinding[] | undefined {
  const part = mail.parts.find(({ type }) => type === 'message/feedback-report');
  if (part === undefined) return undefined;
  const { headers } = readHeaders(part.text);
  const found = complaintOf(headerOf(headers, 'feedback-type').toLowerCase());
  const recipients = complainers(headers, mail);
  if (recipients.length === 0) return [{ recipient: null, ...found }];
  return recipients.slice(0, countMax).map((recipient) => ({ recipient, ...found }));
}

/** The older report of Hotmail, which has no part of its own. */
export function explainHotmailComplaint(mail: Mail): BounceFinding[] | undefined {
  const returned = returnedHeaders(mail);
  const recipient = returned && firstAddressIn(headerOf(returned, 'x-hmxmroriginalrecipient'));
  return recipient === undefined ? undefined : [{ recipient, ...complaintOf('abuse') }];
}

/** Those that the report names; else the only one to whom the mail went. Of several it is not known who complained. */
function complainers(headers: MailHeaders, mail: Mail): string[] {
  const named = ['original-rcpt-to', 'removal-recipient'].flatMap((name) =>
    allOf(headers, name).flatMap((value) => addressesIn(value)),
  );
  if (named.length > 0) return named;
  const returned = returnedRecipients(mail);
  return returned.length === 1 ? returned : [];
}

function complaintOf(type: string): BounceJudgement {
  const words = `Feedback-Type: ${type}`;
  if (type === 'not-spam') return judgement('not_spam', 'feedback-not-spam', words);
  if (type.startsWith('auth-failure')) {
    return judgement('authentication_report', 'feedback-authentication', words);
  }
  if (type.startsWith('opt-out')) return judgement('unsubscribed', 'feedback-opt-out', words);
  return judgement('complaint', 'feedback', words);
}

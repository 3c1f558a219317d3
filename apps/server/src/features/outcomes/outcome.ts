import { createHash } from 'node:crypto';
import type { OutcomeKind, OutcomeSource } from '@assay/contract';
import { parseAddress } from '@assay/verifier';
import type { BounceFinding } from '@assay/verifier/bounces';

/** Where outcomes come from. */
export interface OutcomeOrigin {
  readonly source: OutcomeSource;
  /** The feed, mailbox or file; null for calls. */
  readonly sourceId: string | null;
}

/** What somebody reports of one address. */
export interface OutcomeReport {
  readonly email: string;
  /** What the judge of bounces makes of it. */
  readonly finding: Omit<BounceFinding, 'recipient'>;
  readonly at: Date;
  /** By how much the true moment may differ from `at`: see `slack`. None for the time of an event. */
  readonly slackSeconds?: number;
  /** The sender's own name of the event. */
  readonly eventId?: string | undefined;
  /** The list whose results the outcome is matched with; all checks without it. */
  readonly listId?: string | undefined;
}

/** How exact the times of reports are. */
export const slack = {
  /** A sender writes a mail about an event some minutes before or after it gives the event a time. */
  mail: 600,
  /** `at` is the beginning of the minute. */
  minute: 60,
  /** `at` is noon in UTC. */
  day: 43_200,
} as const;

/** What happened to mail for one address, as it is kept. */
export interface Outcome extends OutcomeOrigin {
  /** As it was reported. */
  readonly email: string;
  /** The same for all spellings that the engine takes for one address. */
  readonly addressKey: number;
  readonly kind: OutcomeKind;
  readonly class: BounceFinding['class'];
  readonly subject: BounceFinding['subject'];
  readonly action: BounceFinding['action'];
  readonly reason: BounceFinding['reason'];
  readonly rule: string;
  readonly words: string;
  readonly at: Date;
  readonly slackSeconds: number;
  readonly eventId: string | null;
  /** Of the event id with the address and what happened. */
  readonly eventKey: number | null;
  readonly listId: string | null;
}

const eventIdLengthMax = 200;

/** Undefined if the report is about no address, or says nothing. */
export function outcomeOf(report: OutcomeReport, origin: OutcomeOrigin): Outcome | undefined {
  const { finding, at, slackSeconds = 0, eventId = '', listId } = report;
  const address = parseAddress(report.email);
  if (!address.ok || finding.reason === 'no_report') return undefined;
  const kind = kindOf(finding);
  const compared = comparedAddress(address);
  const id = storable(eventId).slice(0, eventIdLengthMax);
  return {
    source: origin.source,
    sourceId: origin.sourceId,
    email: address.email,
    addressKey: keyOf(compared),
    kind,
    class: finding.class,
    subject: finding.subject,
    action: finding.action,
    reason: finding.reason,
    rule: finding.rule,
    words: storable(finding.words),
    at: new Date(Math.floor(at.getTime() / 1_000) * 1_000),
    slackSeconds,
    eventId: id || null,
    eventKey: id === '' ? null : keyOf(`${compared}\n${happeningOf(kind)}\n${id}`),
    listId: listId ?? null,
  };
}

/** The same for all spellings that the engine takes for one address; undefined for another text. */
export function addressKeyOf(email: string): number | undefined {
  const address = parseAddress(email);
  return address.ok ? keyOf(comparedAddress(address)) : undefined;
}

const comparedAddress = ({ mailbox }: { readonly mailbox: string }): string => mailbox.toLowerCase();

export const kindOf = (finding: OutcomeReport['finding']): OutcomeKind =>
  finding.reason === 'unsubscribed' ? 'unsubscribed' : finding.class;

/** 53 bits, which a number holds. */
const keyOf = (text: string): number =>
  Number(createHash('sha256').update(text).digest().readBigUInt64BE() >> 11n);

/** PostgreSQL takes neither NUL nor half a character. */
const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** Two ways may report the same bounce with more or less of its reply, so that it is judged in two ways. */
export const happeningOf = (kind: OutcomeKind): string => (bounces.has(kind) ? 'bounce' : kind);
const bounces: ReadonlySet<OutcomeKind> = new Set(['hard', 'soft', 'block', 'unclear']);

import { type BounceFinding, type BounceJudgement, type BounceReason, judgement } from './bounce-reasons.ts';
import { doubted, judgeWords } from './judge-words.ts';
import { addressesIn } from './mail/addresses.ts';

/** More events or recipients of one call are not judged. */
const eventsMax = 1_000;
/** More of a feed are refused: none may be lost. */
const feedEventsMax = 10_000;
const recipientsOfEventMax = 100;

type Fields = Readonly<Record<string, unknown>>;

/** What a sender says of one recipient, in its own words. */
interface SenderEvent {
  readonly recipient: string | null;
  /** What the sender makes of it. */
  readonly reason: BounceReason;
  readonly rule: string;
  /** The reply of the host, if the event has it. */
  readonly text?: string;
  readonly status?: string;
  /** The event may be about another recipient of the same mail. */
  readonly isDoubtful?: boolean;
  /** When it happened, in milliseconds since 1970. */
  readonly at?: number | undefined;
  /** The same whenever the sender repeats the event. */
  readonly id?: string | undefined;
}

/** What an event says, for keeping it. */
export interface SentEvent extends BounceFinding {
  readonly at: number | null;
  readonly id: string | null;
  /** That a person opened the mail or followed a link in it, which says no more than its delivery. */
  readonly isOpenOrClick: boolean;
}

/** What events of SendGrid, Mailgun, Postmark, SES, Brevo, Resend, Mandrill and SparkPost say; undefined if they are none. */
export function explainEvents(body: unknown): BounceFinding[] | undefined {
  return readEvents(body, eventsMax)?.slice(0, eventsMax).map(explainReported);
}

/** All events of a feed; undefined if they are none, or more than a feed may send at once. */
export function readFeedEvents(body: unknown): SentEvent[] | undefined {
  const events = readEvents(body, feedEventsMax + 1);
  if (events === undefined || events.length > feedEventsMax) return undefined;
  return events.map((event) => {
    const found = explainReported(event);
    const isOpenOrClick = openOrClick.test(event.rule);
    return { ...found, at: event.at ?? null, id: event.id ?? null, isOpenOrClick };
  });
}

const openOrClick = /-(?:unique_)?(?:open|click)(?:ed)?$/;

/** Pings and sentences of a sender may be among the events. */
function readEvents(body: unknown, max: number): SenderEvent[] | undefined {
  const events = (Array.isArray(body) ? body : [body]).slice(0, max).filter(isFields);
  const read = events.map((event) => readEvent(event, max)).filter((event) => event !== undefined);
  return read.length > 0 ? read.flat() : undefined;
}

function readEvent(event: Fields, max: number): SenderEvent[] | undefined {
  if (typeof event.mandrill_events === 'string') return readEvents(parse(event.mandrill_events), max);
  if (typeof event.Message === 'string' && event.Type !== undefined)
    return readEvents(parse(event.Message), max);
  if (isFields(event.msys)) return readSparkPost(event.msys);
  if (isFields(event['event-data'])) return readMailgun(event['event-data']);
  if (typeof event.RecordType === 'string') return readPostmark(event);
  if (isFields(event.mail)) return readSes(event);
  if (textOf(event.type).startsWith('email.')) return readResend(event);
  if (event.type === 'contact.updated') return readResendContact(event);
  if (isFields(event.msg)) return readMandrill(event, event.msg);
  return typeof event.event === 'string' && typeof event.email === 'string' ? readPlain(event) : undefined;
}

/** The reply of the host says more than the name of the event, which each sender uses in its own way. */
export function explainReported({
  recipient,
  reason,
  rule,
  text = '',
  status = '',
  isDoubtful,
}: SenderEvent): BounceFinding {
  const given = judgement(reason, rule, text || rule);
  const found = isFailure(given) ? judgeWords(text, { status, recipient: recipient ?? '' }) : undefined;
  const judged = found === undefined ? given : weigh(given, found);
  return { recipient, ...(isDoubtful ? doubted(judged) : judged) };
}

const isFailure = (given: BounceJudgement): boolean =>
  given.class === 'hard' ||
  given.class === 'soft' ||
  given.class === 'block' ||
  given.reason === 'refused_unexplained';

/** A sender that goes on trying has not failed yet, and what it knows counts more than words that could mean either. */
function weigh(given: BounceJudgement, found: BounceJudgement): BounceJudgement {
  // A reply that explains nothing may be about the sender.
  if (found.class === 'unclear') return doubted(given);
  const isDoubtful = found.class === 'hard' && found.action !== 'suppress';
  if (isDoubtful && given.class !== 'hard') return given;
  return given.class === 'soft' && found.class !== 'soft'
    ? { ...found, class: 'soft', action: 'retry' }
    : found;
}

/** SendGrid and Brevo: the names of their events differ or mean the same. */
const plainReasons: Readonly<Record<string, BounceReason>> = {
  bounce: 'hard_bounce',
  deferred: 'soft_bounce',
  dropped: 'suppressed_by_sender',
  spamreport: 'complaint',
  unsubscribe: 'unsubscribed',
  group_unsubscribe: 'unsubscribed',
  delivered: 'delivered',
  open: 'delivered',
  click: 'delivered',
  hard_bounce: 'hard_bounce',
  invalid_email: 'hard_bounce',
  soft_bounce: 'soft_bounce',
  blocked: 'suppressed_by_sender',
  error: 'rejected_by_sender',
  spam: 'complaint',
  complaint: 'complaint',
  unsubscribed: 'unsubscribed',
  opened: 'delivered',
  unique_opened: 'delivered',
};

function readPlain(event: Fields): SenderEvent[] {
  const name = textOf(event.event);
  const isSendGrid = 'sg_event_id' in event || 'sg_message_id' in event || 'smtp-id' in event;
  const type = name === 'bounce' ? textOf(event.type) : '';
  const reason =
    type === 'blocked'
      ? 'blocked'
      : type === 'expired'
        ? 'delivery_expired'
        : (reasonNamed(plainReasons, name) ?? 'no_report');
  return [
    {
      recipient: recipientOf(event.email),
      reason,
      rule: `${isSendGrid ? 'sendgrid' : 'brevo'}-${[name, type].filter(Boolean).join('-')}`,
      text: textOf(event.reason) || textOf(event.response),
      status: textOf(event.status),
      ...(isSendGrid
        ? { at: secondsOf(event.timestamp), id: idOf(event.sg_event_id) }
        : {
            // The other dates of Brevo have the time zone of the account.
            at: millisecondsOf(event.ts_epoch),
            id: idOf(event['message-id'], name, event.email, event.ts_epoch),
          }),
    },
  ];
}

/** Why Mailgun gave up. */
const mailgunReasons: Readonly<Record<string, BounceReason>> = {
  bounce: 'hard_bounce',
  espblock: 'blocked',
  old: 'delivery_expired',
};

function readMailgun(event: Fields): SenderEvent[] {
  const name = textOf(event.event);
  const status = fieldsOf(event['delivery-status']);
  const why = textOf(event.reason);
  const code = numberOf(status.code);
  const isTemporary = textOf(event.severity) === 'temporary';
  const wasNotSent = why.startsWith('suppress-') || code === 605 || code === 607;
  const failed: BounceReason = wasNotSent
    ? 'suppressed_by_sender'
    : isTemporary
      ? 'soft_bounce'
      : code === 498
        ? 'no_mail_host'
        : (reasonNamed(mailgunReasons, why) ?? 'refused_unexplained');
  const reasons: Readonly<Record<string, BounceReason>> = {
    failed,
    rejected: 'rejected_by_sender',
    complained: 'complaint',
    unsubscribed: 'unsubscribed',
    delivered: 'delivered',
    opened: 'delivered',
    clicked: 'delivered',
  };
  const headers = fieldsOf(fieldsOf(event.message).headers);
  const said = textOf(status.message) || textOf(status.description);
  return [
    {
      recipient: recipientOf(event.recipient) ?? recipientOf(headers.to),
      reason: reasonNamed(reasons, name) ?? 'no_report',
      rule: ['mailgun', name, why].filter(Boolean).join('-'),
      // Mailgun has codes of its own besides those of hosts.
      text:
        code >= 400 && code < 600 && code !== 498 && code !== 499 && !said.startsWith(String(code))
          ? `${code} ${said}`
          : said,
      status: textOf(status['enhanced-code']),
      at: secondsOf(event.timestamp),
      // Mailgun uses an id again on another day.
      id: idOf(event.id, event.timestamp),
    },
  ];
}

const postmarkTypes: Readonly<Record<string, BounceReason>> = {
  HardBounce: 'hard_bounce',
  BadEmailAddress: 'hard_bounce',
  Transient: 'soft_bounce',
  SoftBounce: 'soft_bounce',
  DnsError: 'dns_failed',
  Blocked: 'blocked',
  SpamNotification: 'message_refused',
  VirusNotification: 'message_refused',
  DMARCPolicy: 'blocked',
  ManuallyDeactivated: 'suppressed_by_sender',
  SMTPApiError: 'rejected_by_sender',
  InboundError: 'rejected_by_sender',
  TemplateRenderingFailed: 'rejected_by_sender',
  AutoResponder: 'auto_reply',
  AddressChange: 'auto_reply',
  ChallengeVerification: 'auto_reply',
  Unsubscribe: 'unsubscribed',
  SpamComplaint: 'complaint',
};

function readPostmark(event: Fields): SenderEvent[] {
  const record = textOf(event.RecordType);
  const type = textOf(event.Type) || textOf(event.SuppressionReason);
  const ofChange: BounceReason =
    event.SuppressSending !== true
      ? 'no_report'
      : type === 'SpamComplaint'
        ? 'complaint'
        : type === 'HardBounce'
          ? 'hard_bounce'
          : 'unsubscribed';
  const reasons: Readonly<Record<string, BounceReason>> = {
    Bounce: reasonNamed(postmarkTypes, type) ?? 'soft_bounce',
    SpamComplaint: 'complaint',
    SubscriptionChange: ofChange,
    Delivery: 'delivered',
    Open: 'delivered',
    Click: 'delivered',
  };
  return [
    {
      recipient: recipientOf(event.Email) ?? recipientOf(event.Recipient),
      reason: reasonNamed(reasons, record) ?? 'no_report',
      rule: ['postmark', record, type].filter(Boolean).join('-').toLowerCase(),
      text: textOf(event.Details),
      at:
        momentOf(event.BouncedAt) ??
        momentOf(event.DeliveredAt) ??
        momentOf(event.ChangedAt) ??
        momentOf(event.ReceivedAt),
      id:
        event.ID === undefined
          ? idOf(event.MessageID, record, event.DeliveredAt ?? event.ChangedAt ?? event.ReceivedAt)
          : idOf(record, event.ID),
    },
  ];
}

function readSes(event: Fields): SenderEvent[] {
  const kind = textOf(event.eventType) || textOf(event.notificationType);
  const bounce = fieldsOf(event.bounce);
  const complaint = fieldsOf(event.complaint);
  const subType = textOf(bounce.bounceSubType) || textOf(complaint.complaintSubType);
  const type = textOf(bounce.bounceType) || textOf(complaint.complaintFeedbackType);
  const rule = ['ses', kind, type, subType].filter(Boolean).join('-').toLowerCase();
  const wasNotSent = subType === 'Suppressed' || subType === 'OnAccountSuppressionList';
  const { messageId, timestamp: sentAt } = fieldsOf(event.mail);
  const seen = (part: Fields, recipient: string | null) => ({
    recipient,
    rule,
    at: momentOf(part.timestamp) ?? momentOf(sentAt),
    id: idOf(part.feedbackId ?? messageId, kind, part.timestamp, recipient),
  });
  if (kind === 'Bounce') {
    const sesReason =
      reasonNamed(sesSubTypes, subType) ?? (type === 'Permanent' ? 'hard_bounce' : 'soft_bounce');
    return listOf(bounce.bouncedRecipients).map((recipient) => ({
      ...seen(bounce, recipientOf(recipient.emailAddress)),
      reason: wasNotSent ? 'suppressed_by_sender' : sesReason,
      text: textOf(recipient.diagnosticCode).replace(/^\s*smtp\s*;/i, ''),
      status: textOf(recipient.status),
    }));
  }
  if (kind === 'Complaint') {
    const complainers = listOf(complaint.complainedRecipients);
    const reason: BounceReason = wasNotSent
      ? 'suppressed_by_sender'
      : type === 'not-spam'
        ? 'not_spam'
        : type === 'auth-failure'
          ? 'authentication_report'
          : 'complaint';
    // SES names everyone at the provider to whom the mail went.
    return complainers.map(({ emailAddress }) => ({
      ...seen(complaint, recipientOf(emailAddress)),
      reason,
      isDoubtful: complainers.length > 1,
    }));
  }
  const delay = fieldsOf(event.deliveryDelay);
  if (kind === 'DeliveryDelay') {
    return listOf(delay.delayedRecipients).map(({ emailAddress, diagnosticCode, status }) => ({
      ...seen(delay, recipientOf(emailAddress)),
      reason: 'delivery_delayed',
      text: textOf(diagnosticCode),
      status: textOf(status),
    }));
  }
  const reasons: Readonly<Record<string, BounceReason>> = {
    Delivery: 'delivered',
    Open: 'delivered',
    Click: 'delivered',
    Reject: 'rejected_by_sender',
  };
  const delivery = fieldsOf(event.delivery);
  return addressList(delivery.recipients ?? fieldsOf(event.mail).destination).map((recipient) => ({
    ...seen(delivery, recipient),
    reason: reasonNamed(reasons, kind) ?? 'no_report',
  }));
}

const sesSubTypes: Readonly<Record<string, BounceReason>> = {
  MailboxFull: 'mailbox_full',
  MessageTooLarge: 'message_too_large',
};

function readResend(event: Fields): SenderEvent[] {
  const name = textOf(event.type).slice('email.'.length);
  const data = fieldsOf(event.data);
  const bounce = fieldsOf(data.bounce);
  const type = textOf(bounce.type);
  const said =
    textOf(bounce.message) ||
    textOf(fieldsOf(data.failed).reason) ||
    textOf(fieldsOf(data.suppressed).message);
  const wasNotSent = /suppress/i.test(textOf(bounce.subType)) || /suppress/i.test(type);
  const reasons: Readonly<Record<string, BounceReason>> = {
    bounced: wasNotSent
      ? 'suppressed_by_sender'
      : type === 'Transient'
        ? 'soft_bounce'
        : type === 'Permanent'
          ? 'hard_bounce'
          : 'refused_unexplained',
    delivery_delayed: 'delivery_delayed',
    suppressed: 'suppressed_by_sender',
    failed: 'rejected_by_sender',
    complained: 'complaint',
    delivered: 'delivered',
    opened: 'delivered',
    clicked: 'delivered',
  };
  const recipients = addressList(data.to);
  const found = {
    reason: reasonNamed(reasons, name) ?? 'no_report',
    rule: ['resend', name, type].filter(Boolean).join('-').toLowerCase(),
    text: said,
    // `data.created_at` is that of the mail.
    at: momentOf(event.created_at),
  };
  const idFor = (recipient: string | null) => idOf(data.email_id, name, event.created_at, recipient);
  if (recipients.length === 0) return [{ recipient: null, ...found, id: idFor(null) }];
  // The event does not say which of several it is about.
  const isDoubtful = recipients.length > 1;
  return recipients.map((recipient) => ({ recipient, ...found, isDoubtful, id: idFor(recipient) }));
}

/** A contact of Resend who left, or came back. */
function readResendContact(event: Fields): SenderEvent[] {
  const data = fieldsOf(event.data);
  return [
    {
      recipient: recipientOf(data.email),
      reason: data.unsubscribed === true ? 'unsubscribed' : 'no_report',
      rule: 'resend-contact-updated',
      at: momentOf(event.created_at),
      id: idOf(data.id, 'contact', event.created_at),
    },
  ];
}

const mandrillReasons: Readonly<Record<string, BounceReason>> = {
  hard_bounce: 'hard_bounce',
  soft_bounce: 'soft_bounce',
  deferral: 'soft_bounce',
  reject: 'suppressed_by_sender',
  spam: 'complaint',
  unsub: 'unsubscribed',
  send: 'delivered',
  delivered: 'delivered',
  open: 'delivered',
  click: 'delivered',
};

function readMandrill(event: Fields, message: Fields): SenderEvent[] {
  const name = textOf(event.event);
  return [
    {
      recipient: recipientOf(message.email),
      reason: reasonNamed(mandrillReasons, name) ?? 'no_report',
      rule: ['mandrill', name].filter(Boolean).join('-'),
      text: textOf(message.diag) || textOf(message.bounce_description),
      at: secondsOf(event.ts),
      id: idOf(event._id ?? message._id, name, event.ts),
    },
  ];
}

/** Their numbers for bounces. */
const sparkPostClasses: Readonly<Record<number, BounceReason>> = {
  10: 'hard_bounce',
  30: 'hard_bounce',
  90: 'unsubscribed',
  1: 'refused_unexplained',
  20: 'soft_bounce',
  21: 'dns_failed',
  22: 'mailbox_full',
  23: 'message_too_large',
  24: 'connection_timeout',
  40: 'soft_bounce',
  70: 'soft_bounce',
  25: 'blocked',
  50: 'blocked',
  51: 'blocked',
  52: 'message_refused',
  53: 'message_refused',
  54: 'blocked',
  60: 'auto_reply',
  80: 'auto_reply',
  100: 'auto_reply',
};

function readSparkPost(msys: Fields): SenderEvent[] | undefined {
  const event = Object.values(msys).find(isFields);
  if (event === undefined) return undefined;
  const name = textOf(event.type);
  const number = numberOf(event.bounce_class);
  const bounced = sparkPostClasses[number] ?? 'soft_bounce';
  const reasons: Readonly<Record<string, BounceReason>> = {
    bounce: bounced,
    out_of_band: bounced,
    delay: 'soft_bounce',
    policy_rejection: 'rejected_by_sender',
    generation_rejection: 'rejected_by_sender',
    generation_failure: 'rejected_by_sender',
    spam_complaint: 'complaint',
    list_unsubscribe: 'unsubscribed',
    link_unsubscribe: 'unsubscribed',
    delivery: 'delivered',
    open: 'delivered',
    click: 'delivered',
  };
  return [
    {
      recipient: recipientOf(event.raw_rcpt_to) ?? recipientOf(event.rcpt_to),
      reason: reasonNamed(reasons, name) ?? 'no_report',
      rule: ['sparkpost', name, Number.isInteger(number) ? String(number) : ''].filter(Boolean).join('-'),
      text: textOf(event.raw_reason) || textOf(event.reason),
      at: secondsOf(event.timestamp),
      id: idOf(event.event_id),
    },
  ];
}

/** An event may have a name that every object has, such as `constructor`. */
const reasonNamed = (
  reasons: Readonly<Record<string, BounceReason>>,
  name: string,
): BounceReason | undefined => (Object.hasOwn(reasons, name) ? reasons[name] : undefined);

const textCharactersMax = 4_000;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.slice(0, textCharactersMax) : '';
/** Numbers of SparkPost are texts. `Number` throws at an object that has a `toString` of its own, and at a list that is nested deeply. */
const numberOf = (value: unknown): number =>
  typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
const millisecondsOf = (value: unknown): number | undefined => {
  const at = Math.round(numberOf(value));
  return Number.isSafeInteger(at) && at > 0 ? at : undefined;
};
const secondsOf = (value: unknown): number | undefined => millisecondsOf(numberOf(value) * 1_000);
const momentOf = (value: unknown): number | undefined => millisecondsOf(Date.parse(textOf(value)));
/** Undefined without the first part, which names the event or its mail. */
const idOf = (first: unknown, ...others: unknown[]): string | undefined =>
  textOrNumber(first) === '' ? undefined : [first, ...others].map(textOrNumber).join(' ');
const textOrNumber = (value: unknown): string => (typeof value === 'number' ? String(value) : textOf(value));
const listOf = (value: unknown): Fields[] =>
  Array.isArray(value) ? value.filter(isFields).slice(0, recipientsOfEventMax) : [];
const recipientOf = (value: unknown): string | null => addressesIn(textOf(value), 1)[0] ?? null;
const addressList = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value])
    .slice(0, recipientsOfEventMax)
    .map(recipientOf)
    .filter((one) => one !== null);

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

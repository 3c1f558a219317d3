import { describe, expect, it } from 'vitest';
import { explainBounce, explainReply } from './explain-bounce.ts';
import { explainEvents, readFeedEvents } from './sender-events.ts';

const jane = 'jane@example.com';
const said = (body: unknown): string[] =>
  (explainEvents(body) ?? []).map(({ recipient, class: bounceClass, action, reason, rule }) =>
    [recipient, bounceClass, action, reason, rule].join(' '),
  );

const sendGrid = (event: string, more = {}) => ({
  event,
  email: jane,
  sg_event_id: 'x',
  timestamp: 1_763_280_000,
  ...more,
});
const mailgun = (event: string, more = {}) => ({
  signature: {},
  'event-data': { event, recipient: jane, ...more },
});
const postmark = (RecordType: string, more = {}) => ({ RecordType, Email: jane, MessageID: 'x', ...more });
const ses = (message: object) => ({
  Type: 'Notification',
  MessageId: 'x',
  Message: JSON.stringify({ mail: { destination: [jane] }, ...message }),
});
const sesBounce = (bounceType: string, bounceSubType: string, more = {}) =>
  ses({
    notificationType: 'Bounce',
    bounce: { bounceType, bounceSubType, bouncedRecipients: [{ emailAddress: jane, ...more }] },
  });
const resend = (type: string, data = {}) => ({
  type,
  created_at: '2026-11-16T09:00:00Z',
  data: { to: [jane], ...data },
});
const mandrill = (event: string, msg = {}) => ({ event, ts: 1_763_280_000, msg: { email: jane, ...msg } });
const sparkPost = (type: string, more = {}) => ({
  msys: { message_event: { type, raw_rcpt_to: jane, ...more } },
});

type Tree = { readonly [name: string]: unknown };
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

/** The way to each value in an event. */
const pathsIn = (tree: Tree): string[][] =>
  Object.entries(tree).flatMap(([name, value]) => [
    [name],
    ...(isTree(value) ? pathsIn(value).map((path) => [name, ...path]) : []),
  ]);

/** The event with another value at the end of a path. */
function withValue(tree: Tree, [name = '', ...rest]: readonly string[], value: unknown): Tree {
  const copy: Record<string, unknown> = Array.isArray(tree) ? Object.assign([], tree) : { ...tree };
  copy[name] = rest.length === 0 ? value : withValue(tree[name] as Tree, rest, value);
  return copy;
}

describe('events of senders', () => {
  it.each<[string, unknown, string]>([
    [
      'SendGrid bounce',
      sendGrid('bounce', { type: 'bounce', status: '5.1.1', reason: '550 5.1.1 User unknown' }),
      'hard suppress no_such_mailbox no-such-mailbox-by-wording',
    ],
    [
      'SendGrid bounce whose reply says full',
      sendGrid('bounce', { type: 'bounce', reason: '552 5.2.2 Mailbox full' }),
      'soft retry mailbox_full over-quota',
    ],
    [
      'SendGrid bounce without a reply',
      sendGrid('bounce', { type: 'bounce' }),
      'hard suppress hard_bounce sendgrid-bounce-bounce',
    ],
    [
      'SendGrid blocked',
      sendGrid('bounce', { type: 'blocked', reason: 'Rejected' }),
      'block fix_sender blocked sendgrid-bounce-blocked',
    ],
    [
      'SendGrid expired',
      sendGrid('bounce', { type: 'expired' }),
      'soft retry delivery_expired sendgrid-bounce-expired',
    ],
    [
      'SendGrid deferred, whatever the reply',
      sendGrid('deferred', { response: '450 4.7.1 blocked, see spamhaus' }),
      'soft retry blocked named-blocklist',
    ],
    [
      'SendGrid dropped',
      sendGrid('dropped', { reason: 'Bounced Address' }),
      'not_sent none suppressed_by_sender sendgrid-dropped',
    ],
    ['SendGrid complaint', sendGrid('spamreport'), 'complaint suppress complaint sendgrid-spamreport'],
    [
      'SendGrid unsubscribe',
      sendGrid('group_unsubscribe'),
      'complaint suppress unsubscribed sendgrid-group_unsubscribe',
    ],
    [
      'SendGrid delivered',
      sendGrid('delivered', { response: '250 OK' }),
      'delivered none delivered sendgrid-delivered',
    ],
    [
      'Mailgun failed',
      mailgun('failed', {
        severity: 'permanent',
        reason: 'bounce',
        'delivery-status': { code: 550, message: '5.1.1 User unknown' },
      }),
      'hard suppress no_such_mailbox no-such-mailbox-by-wording',
    ],
    [
      'Mailgun temporary',
      mailgun('failed', {
        severity: 'temporary',
        reason: 'generic',
        'delivery-status': { code: 450, message: 'later' },
      }),
      'soft retry temporary_failure other-4xx',
    ],
    [
      'Mailgun without MX',
      mailgun('failed', {
        severity: 'permanent',
        'delivery-status': { code: 498, message: 'No MX for example.com' },
      }),
      'hard suppress no_mail_host mailgun-failed',
    ],
    [
      'Mailgun suppressed',
      mailgun('failed', {
        severity: 'permanent',
        reason: 'suppress-bounce',
        'delivery-status': { code: 605 },
      }),
      'not_sent none suppressed_by_sender mailgun-failed-suppress-bounce',
    ],
    [
      'Mailgun rejected',
      mailgun('rejected', { recipient: undefined, message: { headers: { to: 'Jane <jane@example.com>' } } }),
      'not_sent fix_sender rejected_by_sender mailgun-rejected',
    ],
    ['Mailgun complaint', mailgun('complained'), 'complaint suppress complaint mailgun-complained'],
    [
      'Postmark hard',
      postmark('Bounce', { Type: 'HardBounce', Details: 'smtp;550 5.1.1 The email account does not exist.' }),
      'hard suppress no_such_mailbox no-such-mailbox-by-wording',
    ],
    [
      'Postmark soft',
      postmark('Bounce', { Type: 'SoftBounce' }),
      'soft retry soft_bounce postmark-bounce-softbounce',
    ],
    [
      'Postmark blocked',
      postmark('Bounce', { Type: 'Blocked' }),
      'block fix_sender blocked postmark-bounce-blocked',
    ],
    [
      'Postmark answer',
      postmark('Bounce', { Type: 'AutoResponder' }),
      'auto_reply none auto_reply postmark-bounce-autoresponder',
    ],
    [
      'Postmark complaint',
      postmark('SpamComplaint', { Type: 'SpamComplaint' }),
      'complaint suppress complaint postmark-spamcomplaint-spamcomplaint',
    ],
    [
      'Postmark deactivated',
      postmark('Bounce', { Type: 'ManuallyDeactivated' }),
      'not_sent none suppressed_by_sender postmark-bounce-manuallydeactivated',
    ],
    [
      'Postmark change',
      {
        ...postmark('SubscriptionChange', {
          SuppressSending: true,
          SuppressionReason: 'ManualSuppression',
          Recipient: jane,
        }),
        Email: undefined,
      },
      'complaint suppress unsubscribed postmark-subscriptionchange-manualsuppression',
    ],
    [
      'SES permanent',
      sesBounce('Permanent', 'General', { status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 user unknown' }),
      'hard suppress no_such_mailbox no-such-mailbox-by-wording',
    ],
    [
      'SES permanent without a diagnostic',
      sesBounce('Permanent', 'NoEmail'),
      'hard suppress hard_bounce ses-bounce-permanent-noemail',
    ],
    [
      'SES full',
      sesBounce('Transient', 'MailboxFull'),
      'soft retry mailbox_full ses-bounce-transient-mailboxfull',
    ],
    [
      'SES transient',
      sesBounce('Transient', 'General'),
      'soft retry soft_bounce ses-bounce-transient-general',
    ],
    [
      'SES suppressed',
      sesBounce('Permanent', 'OnAccountSuppressionList', { diagnosticCode: '550 5.1.1 user unknown' }),
      'not_sent none suppressed_by_sender ses-bounce-permanent-onaccountsuppressionlist',
    ],
    [
      'SES complaint',
      ses({
        eventType: 'Complaint',
        complaint: { complainedRecipients: [{ emailAddress: jane }], complaintFeedbackType: 'abuse' },
      }),
      'complaint suppress complaint ses-complaint-abuse',
    ],
    [
      'SES not spam',
      ses({
        eventType: 'Complaint',
        complaint: { complainedRecipients: [{ emailAddress: jane }], complaintFeedbackType: 'not-spam' },
      }),
      'delivered none not_spam ses-complaint-not-spam',
    ],
    [
      'SES delay',
      ses({
        eventType: 'DeliveryDelay',
        deliveryDelay: { delayedRecipients: [{ emailAddress: jane, status: '4.4.1' }] },
      }),
      'soft retry connection_timeout status',
    ],
    [
      'SES delivery',
      ses({ eventType: 'Delivery', delivery: { recipients: [jane] } }),
      'delivered none delivered ses-delivery',
    ],
    [
      'SES reject',
      ses({ eventType: 'Reject', reject: { reason: 'Bad content' } }),
      'not_sent fix_sender rejected_by_sender ses-reject',
    ],
    [
      'Brevo hard',
      { event: 'hard_bounce', email: jane, 'message-id': 'x', reason: '550 5.1.1 unknown user' },
      'hard suppress no_such_mailbox no-such-mailbox-by-wording',
    ],
    ['Brevo blocked', { event: 'blocked', email: jane }, 'not_sent none suppressed_by_sender brevo-blocked'],
    ['Brevo complaint', { event: 'spam', email: jane }, 'complaint suppress complaint brevo-spam'],
    [
      'Resend permanent',
      resend('email.bounced', {
        bounce: { type: 'Permanent', subType: 'General', message: 'The mailbox could not be reached' },
      }),
      'hard suppress hard_bounce resend-bounced-permanent',
    ],
    [
      'Resend suppressed',
      resend('email.bounced', { bounce: { type: 'Permanent', subType: 'Suppressed' } }),
      'not_sent none suppressed_by_sender resend-bounced-permanent',
    ],
    [
      'Resend delayed',
      resend('email.delivery_delayed'),
      'soft retry delivery_delayed resend-delivery_delayed',
    ],
    ['Resend complaint', resend('email.complained'), 'complaint suppress complaint resend-complained'],
    [
      'Mandrill hard',
      mandrill('hard_bounce', { diag: 'smtp;550 5.1.1 User unknown' }),
      'hard suppress no_such_mailbox no-such-mailbox-by-wording',
    ],
    ['Mandrill reject', mandrill('reject'), 'not_sent none suppressed_by_sender mandrill-reject'],
    [
      'Mandrill in a form',
      { mandrill_events: JSON.stringify([mandrill('spam')]) },
      'complaint suppress complaint mandrill-spam',
    ],
    [
      'SparkPost hard',
      sparkPost('bounce', { bounce_class: '10', raw_reason: '550 5.1.1 unknown user' }),
      'hard suppress no_such_mailbox no-such-mailbox-by-wording',
    ],
    [
      'SparkPost full',
      sparkPost('bounce', { bounce_class: '22' }),
      'soft retry mailbox_full sparkpost-bounce-22',
    ],
    [
      'SparkPost spam block',
      sparkPost('bounce', { bounce_class: '51' }),
      'block fix_sender blocked sparkpost-bounce-51',
    ],
    [
      'SparkPost answer',
      sparkPost('out_of_band', { bounce_class: '60' }),
      'auto_reply none auto_reply sparkpost-out_of_band-60',
    ],
    [
      'SparkPost rejection',
      sparkPost('policy_rejection'),
      'not_sent fix_sender rejected_by_sender sparkpost-policy_rejection',
    ],
    [
      'SparkPost complaint',
      sparkPost('spam_complaint'),
      'complaint suppress complaint sparkpost-spam_complaint',
    ],
    [
      'a hard bounce whose reply explains nothing',
      sendGrid('bounce', { type: 'bounce', reason: '554 Transaction failed' }),
      'hard retry hard_bounce sendgrid-bounce-bounce',
    ],
    [
      'Mailgun failed for a reason that is no bounce',
      mailgun('failed', { severity: 'permanent', reason: 'generic' }),
      'unclear none refused_unexplained mailgun-failed-generic',
    ],
    [
      'Mailgun failed for no bounce, with a reply that explains',
      mailgun('failed', {
        severity: 'permanent',
        reason: 'generic',
        'delivery-status': { code: 550, message: '5.1.1 User unknown' },
      }),
      'hard suppress no_such_mailbox no-such-mailbox-by-wording',
    ],
    [
      'Mailgun failed after too long',
      mailgun('failed', { severity: 'permanent', reason: 'old' }),
      'soft retry delivery_expired mailgun-failed-old',
    ],
    [
      'Resend bounce of an unknown type',
      resend('email.bounced', { bounce: { type: 'Other' } }),
      'unclear none refused_unexplained resend-bounced-other',
    ],
    [
      'SES subscription, which may be one to more topics',
      ses({ eventType: 'Subscription' }),
      'unclear none no_report ses-subscription',
    ],
    ['Mandrill send', mandrill('send'), 'delivered none delivered mandrill-send'],
    [
      'an event that says nothing of delivery',
      sendGrid('processed'),
      'unclear none no_report sendgrid-processed',
    ],
  ])('%s', (_, body, expected) => expect(said(body)).toEqual([`${jane} ${expected}`]));

  it('suppress nobody where the sender does not say who complained or bounced', () => {
    const two = [{ emailAddress: 'a@example.com' }, { emailAddress: 'b@example.com' }];
    const complaint = ses({
      eventType: 'Complaint',
      complaint: { complainedRecipients: two, complaintFeedbackType: 'abuse' },
    });
    expect(explainEvents(complaint)?.map(({ class: found, action }) => [found, action])).toEqual([
      ['complaint', 'retry'],
      ['complaint', 'retry'],
    ]);
    const bounced = resend('email.bounced', {
      to: ['a@example.com', 'b@example.com'],
      bounce: { type: 'Permanent' },
    });
    expect(explainEvents(bounced)?.map(({ action }) => action)).toEqual(['retry', 'retry']);
  });

  it('take arrays, and skip pings among them', () => {
    expect(said([{ msys: {} }, sparkPost('delivery'), sendGrid('delivered')])).toHaveLength(2);
  });

  it.each([
    ['null', null],
    ['a number', 7],
    ['an empty array', []],
    ['an unknown object', { hello: 'world' }],
    ['a confirmation of SNS', { Type: 'SubscriptionConfirmation', Message: 'You have chosen to subscribe' }],
    ['a name of every object', { event: '__proto__', email: 7 }],
  ])('are not made of %s', (_, body) => expect(explainEvents(body)).toBeUndefined());

  it('may have anything in any field', () => {
    const events: Tree[] = [
      sendGrid('bounce', { type: 'blocked', status: '5.1.1', reason: '550 5.1.1', response: '550' }),
      { event: 'hard_bounce', email: jane, 'message-id': 'x', ts_epoch: 1_763_280_000_000 },
      mailgun('failed', {
        reason: 'bounce',
        severity: 'permanent',
        timestamp: 1_763_280_000,
        id: 'x',
        message: { headers: { to: jane } },
        'delivery-status': { code: 550, message: 'no', description: 'no', 'enhanced-code': '5.1.1' },
      }),
      postmark('Bounce', { Type: 'HardBounce', Details: '550', BouncedAt: '2026-11-16', ID: 7 }),
      ses({ notificationType: 'Bounce' }),
      ...['bounce', 'complaint', 'deliveryDelay', 'delivery'].map((kind) => ({
        eventType: kind[0]?.toUpperCase() + kind.slice(1),
        mail: { destination: [jane], messageId: 'x', timestamp: '2026-11-16' },
        [kind]: {
          timestamp: '2026-11-16',
          feedbackId: 'x',
          recipients: [jane],
          bouncedRecipients: [{ emailAddress: jane, diagnosticCode: 'smtp; 550', status: '5.1.1' }],
          complainedRecipients: [{ emailAddress: jane }],
          delayedRecipients: [{ emailAddress: jane, diagnosticCode: 'smtp; 450', status: '4.2.2' }],
        },
      })),
      resend('email.bounced', { email_id: 'x', bounce: { type: 'Permanent', subType: 'x', message: '550' } }),
      {
        type: 'contact.updated',
        created_at: '2026-11-16',
        data: { id: 'x', email: jane, unsubscribed: true },
      },
      { ...mandrill('hard_bounce', { diag: '550', _id: 'x' }), _id: 'x' },
      sparkPost('bounce', { bounce_class: '10', raw_reason: '550', timestamp: '1763280000', event_id: 'x' }),
    ];
    const nested = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    const anything = [null, true, -1, '', 'x', [], [null], {}, nested, { toString: 1, valueOf: 1 }];

    const failed = events.flatMap((event) =>
      pathsIn(event).flatMap((path) =>
        anything.flatMap((value, index) => {
          try {
            readFeedEvents(withValue(event, path, value));
            return [];
          } catch (error) {
            return [`${path.join('.')} = ${index}: ${error}`];
          }
        }),
      ),
    );
    expect(failed).toEqual([]);
  });

  it('are not confused by names that every object has', () => {
    expect(said(sendGrid('constructor'))).toEqual([`${jane} unclear none no_report sendgrid-constructor`]);
  });
});

describe('replies', () => {
  it.each([
    ['550 5.1.1 User unknown', 'hard mailbox suppress'],
    ['550', 'unclear unclear none'],
    ['550 Requested action not taken: mailbox unavailable', 'hard mailbox retry'],
    ['250 2.0.0 OK', 'delivered mailbox none'],
    ['252 will try', 'unclear unclear none'],
    ['451 4.7.1 Greylisted', 'soft host retry'],
    ['554 5.7.1 blocked using zen.spamhaus.org', 'block sender fix_sender'],
    ['550 5.1.2 Host unknown', 'hard domain suppress'],
    ['550 5.7.1 Sender verify failed: domain not found', 'block sender fix_sender'],
  ])('%s', (reply, expected) => {
    const [found] = explainReply(reply) ?? [];
    expect([found?.class, found?.subject, found?.action].join(' ')).toBe(expected);
  });

  it('are told from mails and events', () => {
    const classOf = (text: string) => explainBounce(Buffer.from(text))?.[0]?.class;
    expect(classOf('550-5.1.1 User\n550 5.1.1 unknown')).toBe('hard');
    expect(classOf(JSON.stringify(sendGrid('delivered')))).toBe('delivered');
    expect(classOf('From: jane@example.com\nSubject: Out of office\n\nAway')).toBe('auto_reply');
    expect(classOf('5500 items')).toBeUndefined();
    expect(classOf('{"a":')).toBeUndefined();
  });
});

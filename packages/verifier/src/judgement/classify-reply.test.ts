import { describe, expect, it } from 'vitest';
import {
  classifyEarlyReply,
  classifyReply,
  createReplyClassifier,
  parseWrittenReply,
  wordingOf,
} from './classify-reply.ts';
import { replyRules } from './reply-rules.ts';

function classify(reply: string) {
  const parsed = parseWrittenReply(reply);
  if (parsed === undefined) throw new Error(`no reply: ${reply}`);
  return classifyReply(parsed.code, parsed.text);
}

describe('every rule is decided by the real replies that taught it', () => {
  for (const rule of replyRules) {
    it.each(rule.taughtBy)(`${rule.id}: $reply`, ({ reply, source }) => {
      expect(source).not.toBe('');
      expect(classify(reply)).toMatchObject({ rule: rule.id, meaning: rule.meaning, reason: rule.reason });
    });
  }

  it('every reply has the words of its phrase', () => {
    const phrases = replyRules.flatMap((rule) => rule.phrases ?? []);
    expect(phrases.length).toBeGreaterThan(100);
    for (const [words, ...taughtBy] of phrases)
      for (const { reply } of taughtBy) expect(wordingOf(reply.replace(/^\d+ /, ''))).toMatch(words);
  });

  it('no two rules share an id, and none is untaught', () => {
    expect(new Set(replyRules.map((rule) => rule.id)).size).toBe(replyRules.length);
    expect(replyRules.filter((rule) => rule.taughtBy.length === 0)).toEqual([]);
  });
});

describe('traps', () => {
  it.each([
    ['550 5.1.1 <spamhaus@example.com>: User unknown', 'no_such_mailbox'],
    ['550 5.7.1 <no.such.user@example.com>: rejected', 'blocked'],
    ['452 4.5.3 Too many recipients', 'throttled'],
    ['452 4.3.1 Insufficient system storage', 'temporary_failure'],
    ['552 5.1.1 Recipient overquota. OFR_417', 'mailbox_full'],
    ['550 5.2.1 Mailbox unavailable. Your IP address 1.2.3.4 is blacklisted', 'blocked'],
    ['541 5.4.1 Mail rejected by destination domain', 'refused_unexplained'],
    ['550 5.1.1', 'no_such_mailbox'],
    ['250', 'mailbox_accepted'],
    ['450 4.1.1 User unknown', 'temporary_failure'],
    // Whom the refusal is about decides before its words do.
    ['553 Domain of sender address verify@example.com does not exist', 'sender_refused'],
    ['550 5.1.1 <verify@example.com>: Sender address rejected: User unknown', 'sender_refused'],
    ['550 HELO name does not exist', 'sender_refused'],
    ['550 Your reverse name does not exist', 'blocked'],
    ['550 Host not found', 'sender_refused'],
    ['550 Address in From does not exist', 'sender_refused'],
    ['550 The address you are sending from does not exist', 'sender_refused'],
    ['550 Expéditeur inconnu', 'sender_refused'],
    ['554 5.1.0 Blocked for spam. Please see our postmaster page', 'blocked'],
    ["571 Email from 1.2.3.4 is currently blocked by Verizon Online's anti-spam system.", 'blocked'],
    ['556 5.1.10 Domain does not accept mail', 'refused_unexplained'],
    ['550 5.7.193 UserAccessDenied', 'mailbox_restricted'],
    // Clear answers that hold a word of another subject.
    ['553 sorry, this recipient is not in my validrcptto list (#5.7.1)', 'no_such_mailbox'],
    ['550 no such recipient in relay_recipient_maps', 'no_such_mailbox'],
    ['550 Not a local user', 'no_such_mailbox'],
    ['550 5.1.1 Address not found. Message not relayed', 'no_such_mailbox'],
    ['550 5.1.1 Mailbox unavailable, sender notified', 'no_such_mailbox'],
    ['550 5.2.1 This mailbox has been blocked due to inactivity', 'mailbox_disabled'],
    ['550 Mailbox would exceed maximum allowed storage', 'mailbox_full'],
    ['550 Usuario no existe', 'no_such_mailbox'],
    ['550 Utente non trovato', 'no_such_mailbox'],
    ['550 Destinatário desconhecido', 'no_such_mailbox'],
    ['550 Gebruiker onbekend', 'no_such_mailbox'],
    ['550 5.1.1 Your account does not exist', 'sender_refused'],
    ['550 Invalid address: [1.2.3.4] has no name', 'blocked'],
    ['550 5.1.1 User unknown. Please check your email address', 'no_such_mailbox'],
    ['550 5.1.1 User not found in our user list', 'no_such_mailbox'],
    ['550 5.1.1 User unknown in sophos directory', 'no_such_mailbox'],
    ['550 5.1.1 <jane@example.com>: User unknown in relay recipient table', 'no_such_mailbox'],
    ['550 <jane@example.com>: User unknown in relay recipient table', 'no_such_mailbox'],
    // A word about relaying vetoes INVALID, unless the code of a missing mailbox says otherwise.
    ['550 relaying denied for <jane@example.com>: User unknown', 'blocked'],
    ['550 5.1.1 relaying denied for <jane@example.com>: User unknown', 'no_such_mailbox'],
    ['550 User jane does not exist in this domain', 'no_such_mailbox'],
    ['550 User unknown in sophos directory', 'blocked'],
    ['552 Too many recipients', 'throttled'],
    ['452 Mailbox size limit exceeded', 'mailbox_full'],
    ['550 5.7.1 Message rejected as spam', 'message_refused'],
    ['550 5.7.134 Sender not authenticated for mailbox', 'mailbox_restricted'],
  ] as const)('%s: %s', (reply, reason) => {
    expect(classify(reply).reason).toBe(reason);
  });
});

describe('a reply that a hostile host made long', () => {
  const lines = (count: number, line: string) => Array(count).fill(line).join('\n');
  /** As long as the reply parser lets one become, of what the rules are slowest with. */
  const longest = lines(32, 'no.such.user-'.repeat(157));

  it.each([
    ['words', longest],
    ['addresses', lines(32, 'a@'.repeat(1_024))],
    ['one line', 'x'.repeat(1_000_000)],
  ])('reaches the rules cut to 4,001 characters: %s', (_, text) => {
    expect(wordingOf(text).length).toBeLessThanOrEqual(4_001);
  });

  it('is whole up to 4,000 characters; of a longer one the middle is left out', () => {
    expect(wordingOf('a'.repeat(4_000))).toBe('a'.repeat(4_000));
    expect(wordingOf(`${'a'.repeat(3_000)}bb${'c'.repeat(1_000)}`)).toBe(
      `${'a'.repeat(3_000)}\n${'c'.repeat(1_000)}`,
    );
  });

  it('is read by its first and its last lines', () => {
    expect(classifyReply(550, `5.1.1 User unknown\n${longest}`).reason).toBe('no_such_mailbox');
    expect(classifyReply(550, `${longest}\nblocked using zen.spamhaus.org`).reason).toBe('blocked');
  });
});

describe('names in a reply are set aside', () => {
  it.each([
    ['<jane@example.com>: rejected', '<>: rejected'],
    ['mailbox jane@example.com.', 'mailbox <>.'],
    ['(user@example.com:blocked)', '(<>:blocked)'],
    ['dd jane@yahoo.com is no longer valid', 'dd <> is no longer valid'],
    ['no such <user> here, try @example.com!', 'no such <user> here, try @example.com!'],
    ['we have no jane@example.com!', 'we have no <>!'],
  ])('%s', (text, wording) => {
    expect(wordingOf(text)).toBe(wording);
  });
});

describe('a reply that names us', () => {
  const classifyForUs = createReplyClassifier(['verify@probe.example.com', 'Probe.example.com', 'localhost']);
  const reasonOf = (reply: string) => {
    const { code, text } = parseWrittenReply(reply) ?? { code: 0, text: '' };
    return classifyForUs(code, text, 'jane@a.test').reason;
  };

  it.each([
    '550 <verify@probe.example.com> invalid address',
    '550 5.1.1 <Verify@probe.example.com>: User unknown (callback)',
    '550 <probe.example.com> does not exist',
  ])('and not the recipient is about us: %s', (reply) => {
    expect(reasonOf(reply)).toBe('sender_refused');
  });

  it.each([
    '550 5.1.1 <Jane@a.test>: User unknown, mail of <verify@probe.example.com> refused',
    '550 5.1.1 <jane@a.test>: User unknown (helo=probe.example.com)',
    '550 User unknown at localhost',
  ])('beside the recipient, or by a common word, is about the mailbox: %s', (reply) => {
    expect(reasonOf(reply)).toBe('no_such_mailbox');
  });
});

describe('the delay a host names', () => {
  it.each([
    ['451 4.7.1 Greylisted, please try again in 300 seconds', 300_000],
    ['450 Greylisted for 5 minutes', 300_000],
    ['451 greylisted, retry after 1 hour', 3_600_000],
    ['451 Greylisting in action, please come back in 00:04:59', 299_000],
    ['451 try again later (wait 60s)', 60_000],
    ['451 4.7.1 Greylisted, try again after some time', undefined],
    ['451 Greylisted, please try again in 99999 hours', 86_400_000],
    ['451 4.7.1 Greylisted, retry in 1 hour 30 min', 5_400_000],
    ['451 4.7.1 Greylisted for 1 minute and 30 seconds (90 s)', 90_000],
    ['451 4.7.1 Greylisted, try again in 5-10 minutes', 600_000],
    ['451 4.7.1 Greylisted, try again in 1 day', 86_400_000],
    ['451 4.7.1 Greylisted, try again in 300.5 seconds', 300_500],
    ['451 4.7.1 Greylisted, please retry within 24 hours', undefined],
    ['451 4.7.1 Greylisted, see the information 5 m below', undefined],
    ['451 4.7.1 Greylisted, try again later (2026-11-16 04:40:31 UTC)', undefined],
    ['451 4.7.1 Greylisted, try again after 04:40:31 UTC', undefined],
    ['451 4.7.1 Greylisted, [2a00:11:22:33::1] try again later', undefined],
    ['451 4.7.1 Greylisted, try again in 10-20 minutes', 1_200_000],
    ['451 4.7.1 Greylisted, try again in 1.25 hours', 4_500_000],
    ['451 Greylisted, wait 1 hr', 3_600_000],
    ['451 Greylisted, wait 1 second', 1_000],
    ['451 Greylisted, wait 1 sec', 1_000],
    ['451 Greylisted, try again in 5 to 10 minutes', 600_000],
    ['451 Greylisted, retry in 1 hour,30 minutes', 5_400_000],
    ['451 Greylisted, retry in 1 hour, 30 minutes', 5_400_000],
    ['451 Greylisted, retry in 1 hour or 30 minutes', 3_600_000],
    ['451 Greylisted, delay 2 mins', 120_000],
    ['451 Greylisted, delayed 2 mins', 120_000],
    ['451 Greylisted, waiting 2 mins', 120_000],
    ['451 Greylisted, at least 2 mins', 120_000],
    ['451 Greylisted, again 2 mins', 120_000],
    ['451 Greylisted, delay=120s', 120_000],
    ['451 Greylisted, wait for 12:30 m', undefined],
    ['451 Greylisted, retry when the queue of the mailbox is empty, 5 m free', undefined],
    ['451 Greylisted, come back in 1:30:00', 5_400_000],
    ['451 Greylisted, come back after 04:40:31 GMT', undefined],
    ['451 Greylisted, come back after 04:40:31 PM', undefined],
    ['451 Greylisted, come back after 04:40:31 am', undefined],
    ['421 Too many connections, retry in 60 seconds', 60_000],
    ['550 User unknown, try again in 5 minutes', undefined],
  ])('%s: %s ms', (reply, delay) => {
    expect(classify(reply).retryAfterMs).toBe(delay);
  });
});

describe('the form of a reply', () => {
  it.each([
    ['an enhanced code in parentheses', '550 (5.0.0) rejected', 'address-rejected'],
    ['an enhanced code with a colon', '550 5.0.0: rejected', 'address-rejected'],
    ['an enhanced code with a dash', '550 #5.0.0 - rejected', 'address-rejected'],
    ['an enhanced code at the end', '550 sorry (#5.1.1)', 'no-such-mailbox-by-code'],
    ['a number with the digits of an enhanced code', '550 ticket 10.5.1.1', 'other-5xx'],
    ['several spaces', '550   recipient   rejected  ', 'address-rejected'],
    ['words over two lines', '550-recipient\n550 address rejected', 'address-rejected'],
    ['words over three lines', '550-recipient\r\n550-address\r\n550 rejected', 'address-rejected'],
  ])('%s does not change its meaning', (_, reply, rule) => {
    expect(classify(reply).rule).toBe(rule);
  });

  it.each([
    ['550', { code: 550, text: '' }],
    ['  550-User\r\nunknown  ', { code: 550, text: 'User\nunknown' }],
    ['550 User unknown', { code: 550, text: 'User unknown' }],
    ['650 User unknown', undefined],
    ['5501 User unknown', undefined],
    ['a 550 User unknown', undefined],
    ['55 User unknown', undefined],
  ])('%j is read as written down', (reply, parsed) => {
    expect(parseWrittenReply(reply)).toEqual(parsed);
  });

  it('says that words could be about us as well, where that is so', () => {
    expect(classify('550 \t Rejected').isAmbiguous).toBe(true);
    expect(classify('550 \t User unknown')).not.toHaveProperty('isAmbiguous');
  });
});

describe('replies that were read before', () => {
  it('are not read again, until there are more than 2,000 others', () => {
    const marker = classifyReply(550, 'Marker');
    for (let count = 0; count < 5_000 && classifyReply(550, 'Marker') === marker; count++) {
      classifyReply(550, `Filler ${count}`);
    }
    // Only the last filler and the marker are known now.
    const first = classifyReply(550, 'Remember me');
    for (let count = 3; count < 2_000; count++) classifyReply(550, `Reply ${count}`);
    expect(classifyReply(550, 'remember ME')).toBe(first);
    classifyReply(550, 'One more');
    expect(classifyReply(550, 'Remember me')).not.toBe(first);
  });

  it.each([
    ['another code', [550, 'no such user jane@a.test'], [450, 'no such user jo@a.test'], 'temporary_failure'],
    [
      'other words before the name',
      [550, 'no such user jane@a.test'],
      [550, 'mailbox full jo@a.test'],
      'mailbox_full',
    ],
    [
      'other words after the name',
      [550, 'jane@a.test no such user'],
      [550, 'jo@a.test mailbox full'],
      'mailbox_full',
    ],
    [
      'more words',
      [550, 'jane@a.test no such user'],
      [550, 'jo@a.test full mailbox full, no such user'],
      'mailbox_full',
    ],
    [
      'our name in its place',
      [550, 'no such user jane@a.test'],
      [550, 'no such user me@a.test'],
      'sender_refused',
    ],
  ] as const)('of the same host do not hide %s', (_, before, after, reason) => {
    const classifyForHost = createReplyClassifier(['me@a.test']);
    expect(classifyForHost(before[0], before[1], 'jane@a.test').reason).toBe('no_such_mailbox');
    expect(classifyForHost(after[0], after[1], 'jo@a.test').reason).toBe(reason);
  });
});

it('the words in a quoted local part are read neither for its own mailbox nor for the next one', () => {
  const classifyForHost = createReplyClassifier([]);
  for (const mailbox of ['"no such user here"@a.test', 'jane@a.test']) {
    const found = classifyForHost(550, `5.0.0 <${mailbox}>: delivery refused`, mailbox);
    expect(found).toMatchObject({ meaning: 'no_answer', reason: 'refused_unexplained' });
  }
});

it.each([
  [
    'in other letter case',
    '"Mailbox Disabled Today"@a.test',
    '<"mailbox disabled today"@A.TEST>: delivery refused',
  ],
  [
    'without its quotes',
    '"mailbox disabled today"@a.test',
    '<mailbox disabled today@a.test>: delivery refused',
  ],
  ['without its domain', 'disabled@a.test', '<disabled>: delivery refused'],
])('words of a mailbox that the host repeats %s do not decide', (_, mailbox, text) => {
  expect(createReplyClassifier([])(550, text, mailbox).reason).toBe('refused_unexplained');
});

describe('a refusal before RCPT', () => {
  it.each([
    ['greeting', 500, 'no', { meaning: 'no_answer', reason: 'sender_refused', rule: 'greeting-5xx' }],
    ['hello', 499, 'no', { meaning: 'ask_later', reason: 'temporary_failure', rule: 'hello-4xx' }],
    ['sender', 451, 'greylisted', { meaning: 'ask_later', reason: 'greylisted' }],
    ['sender', 450, '4.1.8 Sender rejected', { meaning: 'no_answer', reason: 'sender_refused' }],
  ] as const)(
    'at %s, %i %s: what to do next follows the class of the code',
    (stage, code, text, expected) => {
      expect(classifyEarlyReply(stage, code, text)).toMatchObject(expected);
    },
  );

  it.each([
    ['greeting', 554, 'No SMTP service here', 'sender_refused'],
    ['greeting', 550, 'user unknown', 'sender_refused'],
    ['greeting', 421, 'too many connections from your host', 'throttled'],
    ['hello', 550, '5.7.1 Blocked using zen.spamhaus.org', 'blocked'],
    ['hello', 501, 'Invalid domain name', 'sender_refused'],
    ['sender', 553, '5.1.8 Sender domain does not exist', 'sender_refused'],
    ['sender', 552, '5.2.2 mailbox full', 'sender_refused'],
    ['sender', 451, 'Temporary lookup failure', 'temporary_failure'],
  ] as const)('at %s, %i %s: %s, and never about the mailbox', (stage, code, text, reason) => {
    expect(classifyEarlyReply(stage, code, text).reason).toBe(reason);
  });
});

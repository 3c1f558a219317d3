import { describe, expect, it } from 'vitest';
import { judgeWords } from './judge-words.ts';
import {
  furtherPhrases,
  refusedByRecipient,
  routePhrases,
  senderNotVerified,
  stillTrying,
} from './report-phrases.ts';

const judged = [senderNotVerified, refusedByRecipient, ...routePhrases, ...furtherPhrases];

describe('the sentences of reports', () => {
  it.each(judged.flatMap(({ reason, taughtBy }) => taughtBy.map(({ report }) => [report, reason] as const)))(
    '%s',
    (report, reason) => expect(judgeWords(report)?.reason).toBe(reason),
  );

  it('are in lower case, and none holds another of its list', () => {
    const lists = [stillTrying, ...judged].map(({ phrases }) => phrases);
    const wrong = lists.flatMap((phrases) =>
      phrases.filter(
        (phrase) =>
          phrase !== phrase.toLowerCase() ||
          phrases.some((other) => other !== phrase && phrase.includes(other)),
      ),
    );

    expect(wrong).toEqual([]);
  });

  it('that only say what the reason might be suppress nobody', () => {
    expect(judgeWords('The user does not exist.')).toMatchObject({ class: 'hard', action: 'suppress' });
    expect(judgeWords('Perhaps the user does not exist.')).toMatchObject({ class: 'hard', action: 'retry' });
  });

  it('are read from the reply that a relay quotes in its own', () => {
    const words = '550 5.0.350 Remote server returned an error -> 550 5.1.1 User unknown';
    expect(judgeWords(words)).toMatchObject({ class: 'hard', reason: 'no_such_mailbox' });
  });

  it('of a missing domain mean less with a temporary status, or in a reply without the code', () => {
    const words = 'Host or domain name not found. Name service error for name=example.com type=MX';
    expect(judgeWords(words, { status: '5.4.4' })).toMatchObject({ class: 'hard', action: 'suppress' });
    expect(judgeWords(words, { status: '4.4.3' })).toMatchObject({ class: 'soft', reason: 'dns_failed' });
    expect(judgeWords('550 Unknown host')).toMatchObject({ class: 'hard', action: 'retry' });
    expect(judgeWords('550 5.7.1 Sender domain not found')).toMatchObject({
      class: 'block',
      subject: 'sender',
    });
  });

  it('are read from the lines of one reply, not from what another host said later', () => {
    const words = '<<< 550 <jane@example.com>: User unknown\n421 example.com: Connection timed out';
    expect(judgeWords(words)).toMatchObject({ class: 'hard', reason: 'no_such_mailbox' });
  });

  it('are read from behind the code of a host, not from what the report says of the host', () => {
    const words =
      'Error from remote server\nhost: mx.example.com\n5.1.1 <jane@example.com>: Recipient unknown';
    expect(judgeWords(words)).toMatchObject({ class: 'hard', subject: 'mailbox' });
    expect(judgeWords('This mailbox is not here, sorry. (#5.1.1)')).toMatchObject({ class: 'hard' });
  });

  it('about the mailbox count more than a status', () => {
    const words = 'deliver: mail for jane: maildir over quota';
    expect(judgeWords(words, { status: '5.7.0' })).toMatchObject({ class: 'soft', reason: 'mailbox_full' });
  });
});

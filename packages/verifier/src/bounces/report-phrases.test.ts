import { describe, expect, it } from 'vitest';
import { judgeWords } from './judge-words.ts';
import { furtherPhrases, refusedByRecipient, routePhrases, stillTrying } from './report-phrases.ts';

const judged = [refusedByRecipient, ...routePhrases, ...furtherPhrases];

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
});

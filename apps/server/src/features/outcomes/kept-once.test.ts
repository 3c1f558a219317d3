import { describe, expect, it } from 'vitest';
import { type KnownOutcome, siftOutcomes } from './kept-once.ts';
import { type Outcome, type OutcomeOrigin, type OutcomeReport, outcomeOf, slack } from './outcome.ts';

const api: OutcomeOrigin = { source: 'api', sourceId: null };
const file: OutcomeOrigin = { source: 'file', sourceId: null };
const hard = {
  class: 'hard',
  subject: 'mailbox',
  action: 'suppress',
  reason: 'no_such_mailbox',
  rule: 'no-such-mailbox-by-wording',
  words: '550 5.1.1 User unknown',
} as const;
const silent = {
  ...hard,
  subject: 'unclear',
  reason: 'hard_bounce',
  rule: 'reported',
  words: 'reported',
} as const;
const blocked = { ...hard, class: 'block', reason: 'blocked', action: 'fix_sender' } as const;
const delivered = { ...hard, class: 'delivered', reason: 'delivered', action: 'none' } as const;

const outcome = (changes: Partial<OutcomeReport> = {}, origin = api): Outcome =>
  outcomeOf(
    { email: 'jane@example.com', finding: hard, at: new Date('2026-11-20T10:00:00Z'), ...changes },
    origin,
  ) as Outcome;
const at = (time: string) => ({ at: new Date(`2026-11-20T${time}Z`) });
const kept = (one: Outcome, number: number): KnownOutcome => ({
  ...one,
  number,
  hasWords: one.words !== one.rule,
});

/** What is kept after reports came in this order, each in a call of its own. */
async function keptAfter(reports: readonly Outcome[]): Promise<Outcome[]> {
  const all = new Map<number, Outcome>();
  for (const [number, report] of reports.entries()) {
    const known = [...all].map(([keptNumber, one]) => kept(one, keptNumber));
    const { added, replaced } = await siftOutcomes([report], known);
    for (const gone of replaced) all.delete(gone);
    for (const one of added) all.set(number, one);
  }
  return [...all.values()].sort((one, other) => one.at.getTime() - other.at.getTime());
}

describe('siftOutcomes', () => {
  it.each<[string, Outcome, Outcome]>([
    ['the same report', outcome(), outcome()],
    ['another spelling of the address', outcome(), outcome({ email: ' Jane@EXAMPLE.com' })],
    [
      'both spellings of a domain',
      outcome({ email: 'a@münchen.de' }),
      outcome({ email: 'a@xn--mnchen-3ya.de' }),
    ],
    ['parts of the same second', outcome(at('10:00:00.100')), outcome(at('10:00:00.900'))],
    ['another way', outcome({}, api), outcome({}, file)],
    [
      'a time with the minute only',
      outcome(at('10:00:37')),
      outcome({ ...at('10:00:00'), slackSeconds: slack.minute }),
    ],
    [
      'a time with the day only',
      outcome(at('23:59:59')),
      outcome({ ...at('12:00:00'), slackSeconds: slack.day }),
    ],
    ['a mail some minutes later', outcome(), outcome({ ...at('10:08:00'), slackSeconds: slack.mail }, file)],
    ['a bounce that is judged in another way', outcome(), outcome({ finding: blocked }, file)],
    ['the same id at another time', outcome({ eventId: 'a' }), outcome({ ...at('11:00:00'), eventId: 'a' })],
  ])('takes for one event: %s', async (_, one, other) => {
    expect(await keptAfter([one, other])).toHaveLength(1);
    expect(await keptAfter([other, one])).toHaveLength(1);
    expect((await siftOutcomes([one, other], [])).added).toHaveLength(1);
  });

  it.each<[string, Outcome, Outcome]>([
    ['another address', outcome(), outcome({ email: 'max@example.com' })],
    ['another second', outcome(), outcome(at('10:00:01'))],
    ['another happening', outcome(), outcome({ finding: delivered })],
    ['another id of the same sender', outcome({ eventId: 'a' }), outcome({ eventId: 'b' })],
    [
      'the id of a mail that was delivered and then bounced',
      outcome({ eventId: 'a', finding: delivered }),
      outcome({ eventId: 'a', ...at('10:00:09') }),
    ],
    ['another minute', outcome(at('10:02:00')), outcome({ ...at('10:00:00'), slackSeconds: slack.minute })],
    [
      'the next day',
      outcome({ at: new Date('2026-11-21T00:00:01Z') }),
      outcome({ ...at('12:00:00'), slackSeconds: slack.day }),
    ],
  ])('takes for two: %s', async (_, one, other) => {
    expect(await keptAfter([one, other])).toHaveLength(2);
    expect(await keptAfter([other, one])).toHaveLength(2);
  });

  it('keeps the same of several reports in any order: the best time, then the id, then the words', async () => {
    const day = outcome({ ...at('12:00:00'), slackSeconds: slack.day, finding: silent }, file);
    const first = outcome({ ...at('10:00:00'), eventId: 'a' });
    const bare = outcome({ ...at('10:00:00'), finding: silent }, file);
    const second = outcome({ ...at('11:00:00') });
    const orders = [
      [day, first, bare, second],
      [second, bare, first, day],
      [bare, day, second, first],
      [first, second, day, bare],
    ];
    for (const order of orders) {
      expect(await keptAfter(order)).toEqual([first, second]);
      const { added } = await siftOutcomes(order, []);
      expect(new Set(added)).toEqual(new Set([first, second]));
    }
  });

  it('replaces a kept report once by several that say more, and keeps those in their order', async () => {
    const day = kept(outcome({ ...at('12:00:00'), slackSeconds: slack.day }, file), 7);
    const [late, early] = [outcome(at('11:00:00')), outcome(at('10:00:00'))];
    expect(await siftOutcomes([late, early], [day])).toEqual({ added: [late, early], replaced: [7] });
  });

  const start = Date.parse('2026-11-20T00:00:00Z');
  const second = (n: number) => ({ at: new Date(start + n * 1_000) });
  const days = (n: number) => ({ ...second(n * 86_400), slackSeconds: slack.day });
  it.each<[string, (n: number) => Outcome, (n: number) => Outcome]>([
    ['ids in one second', (n) => outcome({ eventId: `a${n}` }), (n) => outcome({ eventId: `b${n}` })],
    [
      'ids of another sender in one second',
      (n) => outcome({ eventId: `a${n}` }),
      (n) => outcome({ eventId: `b${n}` }, file),
    ],
    ['different seconds', (n) => outcome(second(n)), (n) => outcome(second(n))],
    [
      'ids in different seconds of some hours, with the time of a mail',
      (n) => outcome({ ...second(n), eventId: `a${n}`, slackSeconds: slack.mail }),
      (n) => outcome({ ...second(n), eventId: `b${n}`, slackSeconds: slack.mail }),
    ],
    ['different days', (n) => outcome(days(n)), (n) => outcome(second(n * 86_400))],
  ])('takes time in proportion to the outcomes of one address: %s', async (_, reportOf, keptOf) => {
    const cpuMsOf = async (count: number): Promise<number> => {
      const reports = Array.from({ length: count }, (_unused, n) => reportOf(n));
      const known = Array.from({ length: count }, (_unused, n) => kept(keptOf(n), n));
      const before = process.threadCpuUsage();
      await siftOutcomes(reports, known);
      const { user, system } = process.threadCpuUsage(before);
      return (user + system) / 1_000;
    };
    await cpuMsOf(100);
    const [short, long] = [await cpuMsOf(2_500), await cpuMsOf(10_000)];
    // Comparing each with each takes sixteen times as long, and seconds.
    expect(long).toBeLessThan(4 * 2 * short + 100);
  });
});

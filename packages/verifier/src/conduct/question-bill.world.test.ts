import { expect, it } from 'vitest';
import { collect, openWorld, users } from '../testing/world.ts';
import { type ProviderBill, QuestionBill } from './question-bill.ts';

const zone = [
  'host mx.shared.test',
  'domain a.test accepts user*; mx mx.shared.test',
  'domain b.test catch-all; mx mx.shared.test',
  'domain c.test accepts nobody',
  'domain d.test accepts user*; lacks PIPELINING',
  'domain e.test accepts user*; greylist 1s',
  'domain f.test at rcpt say "550 5.7.1 IP address is block listed"',
].join('\n');

it('counts every question that the hosts counted, by provider and kind', async () => {
  const { world, newVerifier } = await openWorld({ zone });
  const bills = [new QuestionBill(), new QuestionBill()];
  const verifier = newVerifier();
  const lists = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((name) => users(40, `${name}.test`));

  await Promise.all(bills.map((bill) => collect(verifier.verifyAll(lists, { bill }))));

  const sums: Record<string, ProviderBill> = {};
  for (const bill of bills)
    for (const [provider, counts] of bill.take()) {
      const sum = sums[provider] ?? { questions: 0, proofs: 0, controls: 0, unknown: 0, blocked: 0 };
      for (const kind of Object.keys(sum) as (keyof ProviderBill)[]) sum[kind] += counts[kind];
      sums[provider] = sum;
    }
  const hostOf = (provider: string) => (provider === 'shared.test' ? 'mx.shared.test' : `mx.${provider}`);
  for (const [provider, { questions }] of Object.entries(sums))
    expect([provider, questions]).toEqual([provider, world.conduct.host(hostOf(provider)).recipients]);
  expect(Object.values(sums).reduce((sum, { questions }) => sum + questions, 0)).toBe(
    world.conduct.total.recipients,
  );
  expect(sums['shared.test']?.proofs).toBeGreaterThan(0);
  expect(sums['c.test']?.controls).toBeGreaterThan(0);
  expect(sums['c.test']?.unknown).toBeGreaterThanOrEqual(80);
  expect(sums['f.test']?.blocked).toBe(80);
  expect(bills[0]?.take().size).toBe(0);
});

import type { Finding, Verifier } from '@assay/verifier';
import { expect, it } from 'vitest';
import { guardVerifier } from './guard-verifier.ts';

const findingOf = (email: string) => ({ kind: 'verdict', item: email, email }) as unknown as Finding<string>;

/** An engine that answers each address with a finding, behind a gate that counts who waits. */
function open() {
  const log: string[] = [];
  const engine = {
    verify: async (email: string) => {
      log.push(`asked ${email}`);
      return findingOf(email);
    },
    verifyAll: (items: AsyncIterable<string | string[]>) => {
      const batches = async function* () {
        for await (const batch of items) {
          const emails = [batch].flat();
          log.push(...emails.map((email) => `asked ${email}`));
          yield emails.map(findingOf);
        }
      };
      const each = async function* () {
        for await (const batch of batches()) yield* batch;
      };
      return Object.assign(each(), { batches });
    },
    close: async () => void log.push('closed'),
  } as unknown as Verifier;
  const gate = { untilOpen: async () => void log.push('waited') };
  const verifier = guardVerifier(engine, gate, { note: ({ email }) => void log.push(`noted ${email}`) });
  return { verifier, log };
}

it('a single waits for the gate, and its finding is noted', async () => {
  const { verifier, log } = open();
  expect(await verifier.verify('jane@example.com')).toMatchObject({ email: 'jane@example.com' });
  expect(log).toEqual(['waited', 'asked jane@example.com', 'noted jane@example.com']);
});

it('a list waits for the gate once, and its findings are noted in batches or one by one', async () => {
  for (const take of ['batches', 'each'] as const) {
    const { verifier, log } = open();
    const findings = verifier.verifyAll(['a@example.com', 'b@exists.test']);
    const taken =
      take === 'batches' ? await Array.fromAsync(findings.batches()) : await Array.fromAsync(findings);
    expect(taken.flat().map(({ email }) => email)).toEqual(['a@example.com', 'b@exists.test']);
    expect(log).toEqual([
      ...['waited', 'asked a@example.com', 'asked b@exists.test'],
      ...['noted a@example.com', 'noted b@exists.test'],
    ]);
  }
});

it('addresses of .test do not wait', async () => {
  const { verifier, log } = open();
  await verifier.verify('jane@Exists.test');
  await Array.fromAsync(verifier.verifyAll([{ email: 'jane@exists.test' }]));
  expect(log).not.toContain('waited');
});

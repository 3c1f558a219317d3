import { type MailWorld, type MailWorldOptions, startMailWorld } from '@assay/mail-world';
import { expect, onTestFinished } from 'vitest';
import type { Finding } from '../finding.ts';
import { judgeAgain } from '../judge-again.ts';
import { createVerifier, type Verifier, type VerifierOptions } from '../verifier.ts';

/** The mail world for one test, and verifiers that live in it; all gone when the test ends. */
export async function openWorld(
  options: MailWorldOptions = {},
): Promise<{ world: MailWorld; newVerifier(options?: VerifierOptions): Verifier }> {
  const world = await startMailWorld(options);
  onTestFinished(() => world.close());
  return {
    world,
    newVerifier(verifierOptions = {}) {
      const verifier = createVerifier({
        dns: [world.dns],
        allowRanges: world.allowRanges,
        helo: 'probe.example.com',
        ...verifierOptions,
      });
      onTestFinished(() => verifier.close());
      return judgedAgain(verifier);
    },
  };
}

/** Whatever a test asks, each of its findings is the same again when it is judged from what is stored of it. */
function judgedAgain(verifier: Verifier): Verifier {
  return {
    ...verifier,
    async verify(email, options) {
      const finding = await verifier.verify(email, options);
      expectSameAgain(finding);
      return finding;
    },
    verifyAll(items, options) {
      const findings = verifier.verifyAll(items, options);
      return Object.assign(Object.create(findings), {
        async next() {
          const step = await findings.next();
          if (!step.done) expectSameAgain(step.value);
          return step;
        },
        return: () => findings.return?.(),
        batches: () => findings.batches(),
        [Symbol.asyncIterator]() {
          return this;
        },
      });
    },
  };
}

function expectSameAgain({ email, reason, basis, evidence }: Finding<unknown>): void {
  // Callers that want no evidence get no basis.
  if (basis === undefined) return;
  const stored = JSON.parse(JSON.stringify({ email, reason, basis, evidence }));
  expect({ ...stored, again: judgeAgain(stored) }).toMatchObject({ again: { reason, rule: basis.rule } });
}

export async function collect<T>(findings: AsyncIterable<Finding<T>>): Promise<Finding<T>[]> {
  const all: Finding<T>[] = [];
  for await (const finding of findings) all.push(finding);
  return all;
}

/** `user1@domain` to `userN@domain`. */
export const users = (count: number, domain: string): string[] =>
  Array.from({ length: count }, (_, index) => `user${index + 1}@${domain}`);

/** How often each result was found. */
export function tally(findings: readonly Finding<unknown>[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { result, reason } of findings) {
    const key = `${result} ${reason}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

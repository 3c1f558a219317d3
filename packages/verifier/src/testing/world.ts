import { type MailWorld, type MailWorldOptions, startMailWorld } from '@assay/mail-world';
import { onTestFinished } from 'vitest';
import type { Outcome } from '../outcome.ts';
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
      return verifier;
    },
  };
}

export async function collect<T>(outcomes: AsyncIterable<Outcome<T>>): Promise<Outcome<T>[]> {
  const all: Outcome<T>[] = [];
  for await (const outcome of outcomes) all.push(outcome);
  return all;
}

/** `user1@domain` to `userN@domain`. */
export const users = (count: number, domain: string): string[] =>
  Array.from({ length: count }, (_, index) => `user${index + 1}@${domain}`);

/** How often each result was found. */
export function tally(outcomes: readonly Outcome<unknown>[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { result, reason } of outcomes) {
    const key = `${result} ${reason}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

import type { Finding, Findings, Item, Items, Verifier } from '@assay/verifier';
import type { FindingWatch } from './finding-watch.ts';
import type { PortGate } from './port-gate.ts';
import { isTestDomain } from './test-domain.ts';

/** The verifier, with work outside `.test` held back while port 25 is closed, and its findings watched. */
export function guardVerifier(verifier: Verifier, gate: PortGate, watch: FindingWatch): Verifier {
  return {
    async verify(email, options) {
      if (!isTestAddress(email)) await gate.untilOpen(options?.signal);
      const finding = await verifier.verify(email, options);
      watch.note(finding);
      return finding;
    },
    verifyAll: (items, options) =>
      watched(verifier.verifyAll(onceOpen(items, gate, options?.signal), options), watch),
    close: () => verifier.close(),
  };
}

const isTestAddress = (email: string): boolean =>
  isTestDomain(email.slice(email.lastIndexOf('@') + 1).trim());
const addressOf = (item: Item): string => (typeof item === 'string' ? item : item.email);

async function* onceOpen<T extends Item>(
  items: Items<T>,
  gate: PortGate,
  signal: AbortSignal | undefined,
): AsyncGenerator<T | readonly T[]> {
  const isOfTest = Array.isArray(items) && items.every((item: T) => isTestAddress(addressOf(item)));
  if (!isOfTest) await gate.untilOpen(signal);
  if (Array.isArray(items)) yield items as readonly T[];
  else yield* items;
}

function watched<T>(findings: Findings<T>, watch: FindingWatch): Findings<T> {
  const note = (finding: Finding<T>) => watch.note(finding);
  async function* oneByOne() {
    for await (const finding of findings) {
      note(finding);
      yield finding;
    }
  }
  return Object.assign(oneByOne(), {
    async *batches() {
      for await (const batch of findings.batches()) {
        batch.forEach(note);
        yield batch;
      }
    },
  });
}

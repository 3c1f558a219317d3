import type { TestIssuer } from '../../apps/server/src/testing/issuer.ts';
import type { AssayCommand } from '../support/product-process.ts';
import { Deadline } from '../support/until.ts';
import { findRunsLeft } from './jobs.ts';
import type { DatabaseServer, Product } from './product.ts';

/** What rounds share. */
export interface Surroundings {
  readonly server: DatabaseServer;
  readonly issuer: TestIssuer;
  readonly folder: string;
  readonly roundMsMax: number;
  /** The `assay` command of the processes; that of this checkout unless given. */
  readonly command?: AssayCommand | undefined;
}

export interface RoundReport {
  readonly events: readonly string[];
  readonly faults: readonly string[];
  /** Warnings and errors of the processes. */
  readonly troubles: readonly string[];
}

/** Runs a round on its product, then stops it. `play` returns what is wrong. */
export async function runRound(
  product: Product,
  { roundMsMax }: Surroundings,
  play: (round: { events: string[]; deadline: Deadline }) => Promise<string[]>,
): Promise<RoundReport> {
  const events: string[] = [];
  const deadline = new Deadline(roundMsMax, () => product.falls[0]);
  try {
    const faults = await play({ events, deadline });
    if (faults.length === 0) {
      const areNone = async () => (await findRunsLeft(product)).length === 0;
      await deadline.until('no record of a run outlives its job', areNone);
    }
    return { events, faults, troubles: product.troubles };
  } catch (error) {
    return { events, faults: [describe(error)], troubles: product.troubles };
  } finally {
    await product.stop();
  }
}

const describe = (error: unknown): string =>
  error instanceof Error
    ? [error.message, error.cause instanceof Error ? error.cause.message : ''].filter(Boolean).join(' Last: ')
    : String(error);

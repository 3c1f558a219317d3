import type { Truth, Zone } from './plan.ts';

/** What is true of one mailbox. */
export interface KnownTruth {
  address: string;
  truth: Truth;
  /** The host changes its answers: not to know is right too. */
  isFickle: boolean;
}

export function listTruths({ domains }: Zone): KnownTruth[] {
  return [...domains.values()].flatMap(({ name: domain, truths, isFickle }) =>
    truths.map(({ name, truth }) => ({ address: `${name}@${domain}`, truth, isFickle })),
  );
}

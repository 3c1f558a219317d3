import { createHash } from 'node:crypto';

export interface WeightedEgress {
  readonly name: string;
  /** Twice the weight gets twice the domains. */
  readonly weight: number;
}

/** Chooses an egress for a domain in proportion to the weights; the same one for the same domain and egresses. */
export function chooseEgress(domain: string, egresses: readonly WeightedEgress[]): string {
  let best = '';
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const { name, weight } of egresses) {
    // Weighted rendezvous hashing: a change of one egress moves only its own domains.
    const score = weight / -Math.log(fractionOf(`${name} ${domain}`));
    if (score > bestScore) {
      best = name;
      bestScore = score;
    }
  }
  return best;
}

/** A number between 0 and 1, both excluded. */
const fractionOf = (text: string): number =>
  (createHash('sha256').update(text).digest().readUInt32BE(0) + 0.5) / 2 ** 32;

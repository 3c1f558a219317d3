/**
 * How companies make addresses of names, each with how common it is before anything is known of a company. The figures
 * are estimates and need only be right in their order: one proof at a domain outweighs them.
 */
export const patterns = {
  '{first}.{last}': 0.36,
  '{f}{last}': 0.2,
  '{first}': 0.12,
  '{first}{last}': 0.08,
  '{f}.{last}': 0.06,
  '{first}_{last}': 0.035,
  '{first}{l}': 0.03,
  '{last}': 0.025,
  '{last}.{first}': 0.02,
  '{last}{f}': 0.018,
  '{first}-{last}': 0.015,
  '{first}.{l}': 0.012,
  '{last}{first}': 0.01,
  '{f}{l}': 0.008,
  '{last}.{f}': 0.004,
  '{last}_{first}': 0.003,
} as const;

export type Pattern = keyof typeof patterns;
export const PATTERNS = Object.keys(patterns) as Pattern[];

/** How often each pattern was proved at a domain. */
export type LearnedPatterns = ReadonlyMap<Pattern, number>;

/** How many proofs the estimates above are worth: with two, the first proof at a domain already leads. */
const estimateStrength = 2;

/** How likely a pattern is at a domain, given the proofs there. */
export function likelihoodOf(pattern: Pattern, learned: LearnedPatterns): number {
  const provedCount = [...learned.values()].reduce((sum, count) => sum + count, 0);
  return (
    (estimateStrength * patterns[pattern] + (learned.get(pattern) ?? 0)) / (estimateStrength + provedCount)
  );
}

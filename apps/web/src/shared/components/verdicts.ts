/** What the product says of an address, and PENDING while it has not said it yet. */
export type Verdict = 'VALID' | 'INVALID' | 'CATCH_ALL' | 'UNKNOWN' | 'PENDING';

interface VerdictLook {
  /** The word, the same on every screen. */
  readonly label: string;
  /** Fills shapes: marks, slices, lines. */
  readonly color: string;
  /** For words on paper or on the tint. */
  readonly textColor: string;
  readonly tintColor: string;
}

const look = (label: string, variable: string): VerdictLook => ({
  label,
  color: `var(--verdict-${variable})`,
  textColor: `var(--verdict-${variable}-text)`,
  tintColor: `var(--verdict-${variable}-tint)`,
});

export const verdictLooks: Readonly<Record<Verdict, VerdictLook>> = {
  VALID: look('Valid', 'valid'),
  INVALID: look('Invalid', 'invalid'),
  CATCH_ALL: look('Catch all', 'catch-all'),
  UNKNOWN: look('Unknown', 'unknown'),
  PENDING: look('Pending', 'pending'),
};

const THOUSAND = 1_000;
const MILLION = 1_000_000;

// From here on one decimal of thousands would round up to '1000.0k'.
const FIRST_ROUNDED_TO_MILLION = 999_950;

/** Counts in short form, to one decimal: 999, 1.0k, 12.3k, 1.0M. Millions are the largest unit. */
export function formatShortCount(count: number): string {
  if (count < 0) return `-${formatShortCount(-count)}`;
  if (count < THOUSAND) return String(Math.floor(count));
  if (count < FIRST_ROUNDED_TO_MILLION) return `${oneDecimal(count, THOUSAND)}k`;
  return `${oneDecimal(count, MILLION)}M`;
}

// Rounded as a whole number of tenths first: toFixed alone goes by the binary value, and 1.25 would become 1.3 but 1.35, 1.4 or 1.3.
const oneDecimal = (count: number, unit: number): string => (Math.round(count / (unit / 10)) / 10).toFixed(1);

/** Credits in full, with thousands separated: 1,234,567. */
export const formatCredits = (credits: number): string => formatNumber(credits, { decimalsMax: 0 });

interface Decimals {
  readonly decimalsMin?: number;
  readonly decimalsMax: number;
}

/** Separates thousands, and drops zeros at the end beyond `decimalsMin`: 1,234.5. Avoids `Intl` for the reason in dates.ts. */
export function formatNumber(value: number, { decimalsMin = 0, decimalsMax }: Decimals): string {
  if (value < 0) return `-${formatNumber(-value, { decimalsMin, decimalsMax })}`;
  const [whole = '', decimals = ''] = value.toFixed(decimalsMax).split('.');
  let kept = decimals.length;
  while (kept > decimalsMin && decimals[kept - 1] === '0') kept -= 1;
  return groupThousands(whole) + (kept > 0 ? `.${decimals.slice(0, kept)}` : '');
}

function groupThousands(digits: string): string {
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(0, end - 3), end));
  return groups.join(',');
}

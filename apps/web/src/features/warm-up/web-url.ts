/** An address that a browser may be sent to; null for anything else, such as one that would run as a script. */
export function webUrlOf(value: unknown): string | null {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null;
}

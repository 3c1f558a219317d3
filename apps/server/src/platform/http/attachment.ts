/** The header that saves an answer as a CSV file: its name in plain ASCII for old clients, and whole for the others (RFC 6266). */
export function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\]/g, '_');
  return `attachment; filename="${plain}.csv"; filename*=UTF-8''${encodeURIComponent(`${name}.csv`)}`;
}

// RFC 5987 lets through fewer characters than encodeURIComponent does.
const needsEncoding = /['()*]/g;
// Separators of folders and drives, and what Windows refuses in names.
const unfitForNames = /[\p{Cc}\\/:*?"<>|]/gu;

/** The header that saves an answer as a file: its name in plain ASCII for old clients, and whole for the others (RFC 6266). */
export function attachment(name: string, ending: string): string {
  const safe = `${name.toWellFormed().replace(unfitForNames, '_')}.${ending}`;
  const plain = safe.replace(/[^\x20-\x7e]/g, '_');
  const encoded = encodeURIComponent(safe).replace(
    needsEncoding,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

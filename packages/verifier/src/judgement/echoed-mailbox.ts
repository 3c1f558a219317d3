/** A mailbox whose name and domain no rule reads as words. */
const anyMailbox = 'jane@example.com';
const word = /^[^\s"\\]+$/;
const whitespace = /\s+/;

/**
 * The reply with another mailbox in place of the one that we asked about. Hosts repeat it in other letter case, without the
 * quotes of its name or without its domain, and what it is called must not be read as what the host says. A name of one
 * word that stands alone stays: a host that says `mailbox full` may mean just that.
 */
export function replaceMailbox(text: string, mailbox: string): string {
  if (mailbox === '') return text;
  const replaced = text.includes(mailbox) ? text.replaceAll(mailbox, anyMailbox) : text;
  const at = mailbox.lastIndexOf('@');
  if (at <= 0) return replaced;
  const local = mailbox.slice(0, at).toLowerCase();
  const isQuoted = local.startsWith('"');
  // Most replies do not name the mailbox.
  if (!isQuoted && !replaced.toLowerCase().includes(local)) return replaced;
  const names = isQuoted ? namesInQuotes(local) : [local];
  return names.reduce((read, name) => replaceName(read, name, mailbox.slice(at + 1)), replaced);
}

/** What is between the quotes, as it is and without its backslashes. */
function namesInQuotes(local: string): string[] {
  const name = local.slice(1, -1);
  return [...new Set([name, name.replace(/\\(.)/gs, '$1')])].filter((content) => content.trim() !== '');
}

function replaceName(text: string, name: string, domain: string): string {
  const pattern = name.trim().split(whitespace).map(RegExp.escape).join('\\s+');
  const address = `"?${pattern}"?@${RegExp.escape(domain)}`;
  // Several words are not said by chance.
  const alone = word.test(name)
    ? `(?<=[<("'[])${pattern}(?=[>)"'\\]])|\\b${pattern}(?=\\.\\.\\.)`
    : `"?${pattern}"?`;
  return text.replace(new RegExp(`${address}|${alone}`, 'gi'), anyMailbox);
}

/** What a reply may mention, written in the zone as `{rcpt}`, `{host}` and so on. */
export interface ReplyFacts {
  host: string;
  peer: string;
  rcpt?: string;
  seconds?: number;
}

/** A reply as the zone words it, filled in and ended by line breaks. */
export function fillReply(wording: string, facts: ReplyFacts): string {
  const ended = `${wording.replaceAll('\n', '\r\n')}\r\n`;
  if (!ended.includes('{')) return ended;
  const at = facts.rcpt?.lastIndexOf('@') ?? -1;
  const values: Record<string, string | number | undefined> = {
    host: facts.host,
    peer: facts.peer,
    rcpt: facts.rcpt,
    local: facts.rcpt?.slice(0, at),
    domain: facts.rcpt?.slice(at + 1),
    seconds: facts.seconds,
    minutes: facts.seconds === undefined ? undefined : Math.ceil(facts.seconds / 60),
  };
  return ended.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

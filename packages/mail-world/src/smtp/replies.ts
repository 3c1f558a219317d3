/** What a reply may mention, written in the zone as `{rcpt}`, `{host}` and so on. */
export interface ReplyFacts {
  host: string;
  peer: string;
  rcpt?: string;
  seconds?: number;
}

type Filler = (facts: ReplyFacts) => string | number | undefined;

const fillers: Record<string, Filler> = {
  host: ({ host }) => host,
  peer: ({ peer }) => peer,
  rcpt: ({ rcpt }) => rcpt,
  local: ({ rcpt }) => rcpt?.slice(0, rcpt.lastIndexOf('@')),
  domain: ({ rcpt }) => rcpt?.slice(rcpt.lastIndexOf('@') + 1),
  seconds: ({ seconds }) => seconds,
  minutes: ({ seconds }) => (seconds === undefined ? undefined : Math.ceil(seconds / 60)),
};

// A host says the same few things tens of thousands of times a second, so each wording is taken apart once. There are
// no more of them than a zone has replies.
const takenApart = new Map<string, (string | Filler)[]>();

/** A reply as the zone words it, filled in and ended by line breaks. */
export function fillReply(wording: string, facts: ReplyFacts): string {
  let parts = takenApart.get(wording);
  if (!parts) {
    parts = takeApart(wording);
    takenApart.set(wording, parts);
  }
  let text = '';
  for (const part of parts) text += typeof part === 'string' ? part : (part(facts) ?? '');
  return text;
}

function takeApart(wording: string): (string | Filler)[] {
  const ended = `${wording.replaceAll('\n', '\r\n')}\r\n`;
  // Splitting by a group leaves what the group matched at every odd place.
  return ended
    .split(/(\{\w+\})/)
    .map((part, index) => (index % 2 === 1 ? (fillers[part.slice(1, -1)] ?? part) : part))
    .filter((part) => part !== '');
}

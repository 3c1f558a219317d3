/** A reply that was really sent by some host, and where it can be read. It is the rule's test. */
export interface TaughtBy {
  readonly reply: string;
  readonly source: string;
}

/** Words of replies, with the replies that taught them. Words stand alone if no reply is recorded for them. */
type Phrase = RegExp | readonly [words: RegExp, ...taughtBy: TaughtBy[]];

/** The phrases of a rule, joined to one expression. */
export function phrases(...list: readonly Phrase[]) {
  const entries = list.map((phrase) => (phrase instanceof RegExp ? ([phrase] as const) : phrase));
  return {
    phrases: entries,
    text: anyOf(...entries.map(([words]) => words)),
    taughtBy: entries.flatMap(([, ...taughtBy]) => taughtBy),
  };
}

export const anyOf = (...patterns: readonly RegExp[]): RegExp =>
  new RegExp(patterns.map(({ source }) => source).join('|'));

/** Tags a reply with its source: readAt('RFC 5321')`552 Too many recipients`. */
export const readAt =
  (source: string) =>
  ([reply = '']: TemplateStringsArray): TaughtBy => ({ reply, source });

const github = (repository: string, path: string) => readAt(`github.com/${repository}, ${path}`);
const ofSisimai = (path: string) => github('sisimai/rb-sisimai', `lib/sisimai/${path}.rb`);

export const zoneMta = github('zone-eu/zone-mta', 'config/bounces.txt');
export const reacher = github('reacherhq/check-if-email-exists', 'core/src/smtp/parser.rs');
export const sisimai = {
  apple: ofSisimai('rhost/apple'),
  franceptt: ofSisimai('rhost/franceptt'),
  google: ofSisimai('rhost/google'),
  microsoft: ofSisimai('rhost/microsoft'),
  mimecast: ofSisimai('rhost/mimecast'),
  requireptr: ofSisimai('reason/requireptr'),
  systemerror: ofSisimai('reason/systemerror'),
  tencentqq: ofSisimai('rhost/tencentqq'),
  userunknown: ofSisimai('reason/userunknown'),
  yahooinc: ofSisimai('rhost/yahooinc'),
  zoho: ofSisimai('rhost/zoho'),
};
export const bounceHandler = github('twisted1919/bounce-handler', 'BounceHandler/rules.php');
export const rfc5321 = readAt('RFC 5321 §4.2.3');
export const exchangeOnline = readAt('learn.microsoft.com, non-delivery reports in Exchange Online');

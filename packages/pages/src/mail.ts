import { type Html, html } from './html.ts';

/** What a mail says, once: as text and as HTML without pictures, in the look of the product. */
export interface MailContent {
  readonly title: string;
  readonly paragraphs: readonly string[];
  /** Things with a page of their own, such as lists, each with its numbers. */
  readonly items?: readonly MailItem[];
  readonly facts?: readonly MailFact[];
  readonly action?: MailLink;
  /** Why the person gets it, and what else to know. */
  readonly because: string;
  /** Below the reason: how to get no more of them. */
  readonly unsubscribe?: MailLink;
}

export interface MailItem {
  readonly name: string;
  readonly url: string;
  readonly facts: readonly MailFact[];
}

interface MailFact {
  readonly name: string;
  readonly value: string;
}

interface MailLink {
  readonly label: string;
  readonly url: string;
}

export const writeMail = (content: MailContent): { text: string; html: string } => ({
  text: textOf(content),
  html: documentOf(content).text,
});

function textOf({
  title,
  paragraphs,
  items = [],
  facts = [],
  action,
  because,
  unsubscribe,
}: MailContent): string {
  const factLines = (lines: readonly MailFact[]) => lines.map(({ name, value }) => `${name}: ${value}`);
  const blocks = [
    title,
    ...paragraphs,
    ...items.map(({ name, url, facts: numbers }) => [name, ...factLines(numbers), url].join('\n')),
    ...(facts.length === 0 ? [] : [factLines(facts).join('\n')]),
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    `--\n${because}`,
    ...(unsubscribe ? [`${unsubscribe.label}:\n${unsubscribe.url}`] : []),
  ];
  return `${blocks.join('\n\n')}\n`;
}

// Mail programs drop style sheets, so every element carries its light look itself. Programs that keep the sheet below
// follow the reader's dark scheme; it needs `!important` against the looks of the elements.
const look = {
  body: 'margin:0;padding:0;background:#fbf8f2;',
  outer: 'background:#fbf8f2;padding:24px 12px;',
  card: 'max-width:560px;margin:0 auto;background:#fffefb;border:1px solid #e3dacb;border-radius:10px;',
  cell: "padding:28px 32px;font-family:'IBM Plex Sans',-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5;color:#1a1e2b;overflow-wrap:anywhere;word-break:break-word;",
  brand: 'margin:0 0 20px;font-size:18px;font-weight:600;color:#1a1e2b;',
  bead: 'color:#98481a;',
  title: 'margin:0 0 12px;font-size:22px;line-height:1.25;font-weight:600;color:#1a1e2b;',
  text: 'margin:0 0 14px;color:#1a1e2b;',
  item: 'margin:0 0 14px;padding:14px 16px;border:1px solid #e3dacb;border-radius:8px;background:#fbf8f2;',
  itemName: 'margin:0 0 6px;font-weight:600;',
  name: 'padding:2px 16px 2px 0;word-break:normal;overflow-wrap:normal;text-align:left;font-weight:400;color:#585b69;vertical-align:top;',
  value: 'padding:2px 0;text-align:right;font-variant-numeric:tabular-nums;color:#1a1e2b;',
  link: 'color:#98481a;',
  button:
    'display:inline-block;padding:12px 20px;border-radius:6px;background:#1f2536;color:#fdfaf4;font-weight:600;text-decoration:none;',
  foot: 'margin:24px 0 0;padding-top:16px;border-top:1px solid #e3dacb;font-size:13px;color:#585b69;',
} as const;

const darkSheet = `:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .outer { background: #12151e !important; }
  .card { background: #1a1e2a !important; border-color: #2d3343 !important; }
  .ink { color: #ece7dd !important; }
  .muted { color: #a9abb6 !important; border-color: #2d3343 !important; }
  .accent { color: #e69a66 !important; }
  .item { background: #12151e !important; border-color: #2d3343 !important; }
  .button { background: #ece7dd !important; color: #171b27 !important; }
}
@media (max-width: 480px) {
  .cell { padding: 22px 18px !important; }
}`;

function documentOf(content: MailContent): Html {
  const { title, paragraphs, items = [], facts = [], action, because, unsubscribe } = content;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<style>${darkSheet}</style>
</head>
<body class="outer" style="${look.body}">
<div class="outer" style="${look.outer}">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="${look.card}"><tr><td class="cell ink" style="${look.cell}">
<p class="ink" style="${look.brand}">Assay<span class="accent" style="${look.bead}">.</span></p>
<h1 class="ink" style="${look.title}">${title}</h1>
${paragraphs.map((text) => html`<p class="ink" style="${look.text}">${text}</p>\n`)}
${items.map(itemOf)}
${facts.length > 0 && tableOf(facts)}
${action && html`<p style="margin:20px 0 0"><a class="button" href="${action.url}" style="${look.button}">${action.label}</a></p>`}
<p class="muted" style="${look.foot}">${because}${unsubscribe && html` <a class="accent" href="${unsubscribe.url}" style="${look.link}">${unsubscribe.label}</a>`}</p>
</td></tr></table>
</div>
</body>
</html>
`;
}

const itemOf = ({ name, url, facts }: MailItem): Html => html`<div class="item" style="${look.item}">
<p style="${look.itemName}"><a class="accent" href="${url}" style="${look.link}"><bdi>${name}</bdi></a></p>
${facts.length > 0 && tableOf(facts)}
</div>
`;

/** Longer values may be broken anywhere, so that they do not widen the mail; numbers and dates are read in one piece. */
const wholeLengthMax = 16;

const valueLook = (value: string): string =>
  value.length > wholeLengthMax ? look.value : `${look.value}white-space:nowrap;`;

const tableOf = (
  facts: readonly MailFact[],
): Html => html`<table cellpadding="0" cellspacing="0" width="100%">
${facts.map(
  ({ name, value }) =>
    html`<tr><th scope="row" class="muted" style="${look.name}">${name}</th><td class="ink" style="${valueLook(value)}"><bdi>${value}</bdi></td></tr>\n`,
)}</table>
`;

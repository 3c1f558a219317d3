type Value = string | number | boolean | Fields | readonly (string | Fields)[];
interface Fields {
  readonly [name: string]: Value;
}

/** An answer as S3 writes it: a list repeats its element. */
export const xmlDocument = (name: string, fields: Fields): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${element(name, fields)}`;

function element(name: string, value: Value): string {
  if (Array.isArray(value)) return value.map((item) => element(name, item)).join('');
  return `<${name}>${typeof value === 'object' ? children(value as Fields) : escapeXml(String(value))}</${name}>`;
}

const children = (fields: Fields): string =>
  Object.entries(fields)
    .map(([name, value]) => element(name, value))
    .join('');

const escapeXml = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

const unescapeXml = (text: string): string =>
  text
    .replace(/&quot;/g, '"')
    .replace(/&apos;/g, "'")
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&');

/** The texts of all elements of one name. Enough for what clients send, which nests no element in one of its own name. */
export const textsOf = (xml: string, name: string): string[] =>
  xml
    .split(`<${name}>`)
    .slice(1)
    .map((rest) => unescapeXml(rest.split(`</${name}>`, 1)[0] ?? ''));

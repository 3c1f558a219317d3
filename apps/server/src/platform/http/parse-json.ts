import { JSON_LIST } from '@assay/contract';
import { parse } from 'secure-json-parse';
import { AppError } from '../errors/index.ts';

/** The calls of the contract nest three levels at most. */
const levelsMax = 20;
/** A string and a comma for each address, and room to say of a list that is too long that it is. */
const marksMax = JSON_LIST.emailsMax * 4;

/** Reads the JSON of a request. Loads no server, because reading threads use it too. */
export function parseJson(json: string): unknown {
  const refusal = refusalOfShape(json);
  if (refusal) throw refusal;
  try {
    return parse(json, { protoAction: 'error', constructorAction: 'error' });
  } catch (error) {
    throw new AppError('malformed_json', {}, { cause: error });
  }
}

/**
 * Looks at a body before anything is built from it: a few megabytes of brackets or commas would become millions of
 * objects, and building and checking those would delay all other calls for seconds.
 */
function refusalOfShape(json: string): AppError | null {
  const mark = /["[\]{},]/g;
  let level = 0;
  for (let marks = 0; mark.test(json); marks += 1) {
    if (marks >= marksMax) return tooMany();
    switch (json[mark.lastIndex - 1]) {
      case '"':
        mark.lastIndex = endOfString(json, mark.lastIndex);
        break;
      case '[':
      case '{':
        level += 1;
        if (level > levelsMax) return tooDeep();
        break;
      case ']':
      case '}':
        level -= 1;
        break;
    }
  }
  return null;
}

/** Behind the closing quote; the end of the text where there is none. */
function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start); at >= 0; at = json.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (at - 1 - backslashes >= start && json[at - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return at + 1;
  }
  return json.length;
}

const tooDeep = (): AppError =>
  new AppError(
    'invalid_request',
    { levelsMax },
    { text: `The body nests deeper than ${levelsMax} levels. Send only the fields of this call.` },
  );

const tooMany = (): AppError =>
  new AppError(
    'payload_too_large',
    {},
    { text: 'The body holds too many values. Send fewer, and long lists as a CSV file.' },
  );

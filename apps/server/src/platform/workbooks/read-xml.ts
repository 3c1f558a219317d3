import type { Readable } from 'node:stream';
import { SaxesParser } from 'saxes';
import { BadWorkbook, brokenWorkbook } from './bad-workbook.ts';

/** What a reader does with the parts of a document. Names come without their prefix. */
export interface XmlEvents {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  close(name: string): void;
  text(text: string): void;
}

/** The longest piece without a tag. A cell of Excel holds at most 32,767 characters. */
const pieceLengthMax = 1_000_000;
/** The deepest tag of a sheet is at 8. The parser remembers all that are open. */
const depthMax = 100;
/** Short, so that the text of many cells that repeat one long text is handed on before it becomes large. */
const sliceLength = 8_192;

/**
 * Reads a document piece by piece; yields after each piece. Refuses documents that declare entities, which no workbook
 * does and attackers like: the parser would not expand them either.
 */
export async function* readXml(bytes: Readable, events: XmlEvents): AsyncGenerator<void> {
  let lastEventAt = 0;
  let position = 0;
  let depth = 0;
  const note = () => {
    lastEventAt = position;
  };
  const parser = new SaxesParser({ xmlns: false, position: false });
  parser.on('doctype', () => {
    throw brokenWorkbook();
  });
  parser.on('opentag', ({ name, attributes }) => {
    note();
    depth += 1;
    if (depth > depthMax) throw brokenWorkbook();
    events.open(localName(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
    note();
    depth -= 1;
    events.close(localName(name));
  });
  parser.on('text', (text) => events.text(text));
  parser.on('cdata', (text) => events.text(text));
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  try {
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      decoder ??= new TextDecoder(encodingOf(chunk));
      for (let start = 0; start < chunk.length; start += sliceLength) {
        const slice = chunk.subarray(start, start + sliceLength);
        position += slice.length;
        parser.write(decoder.decode(slice, { stream: true }));
        if (position - lastEventAt > pieceLengthMax) throw new BadWorkbook({ kind: 'too_large' });
        yield;
      }
    }
    parser.write(decoder?.decode() ?? '').close();
  } catch (error) {
    throw error instanceof BadWorkbook ? error : brokenWorkbook(error);
  } finally {
    bytes.destroy();
  }
}

/** For a short document. */
export async function readWholeXml(bytes: Readable, events: XmlEvents): Promise<void> {
  for await (const _ of readXml(bytes, events));
}

/** XML without a byte-order mark is UTF-8 here; a workbook in another encoding without one was never seen. */
function encodingOf(start: Buffer): string {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  return start[0] === 0xfe && start[1] === 0xff ? 'utf-16be' : 'utf-8';
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** An attribute by its name without prefix. */
export function attributeOf(attributes: Readonly<Record<string, string>>, name: string): string | undefined {
  const plain = attributes[name];
  if (plain !== undefined) return plain;
  const key = Object.keys(attributes).find((one) => localName(one) === name);
  return key === undefined ? undefined : attributes[key];
}

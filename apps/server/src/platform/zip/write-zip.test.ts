import { expect, it } from 'vitest';
import { readZip } from '../../testing/read-sheets.ts';
import { writeZip, type ZipPart } from './write-zip.ts';

async function* pieces(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}

async function readAll(parts: AsyncIterable<ZipPart>): Promise<Buffer> {
  const written: Buffer[] = [];
  for await (const piece of writeZip(parts)) written.push(piece);
  return Buffer.concat(written);
}

it('writes texts and streams, one after the other', async () => {
  async function* parts(): AsyncGenerator<ZipPart> {
    yield { name: 'a.txt', contents: 'first' };
    yield { name: 'b/c.csv', contents: pieces('one,', 'two') };
  }

  expect(readZip(await readAll(parts()))).toEqual([
    { name: 'a.txt', text: 'first' },
    { name: 'b/c.csv', text: 'one,two' },
  ]);
});

it('asks for no part before the one before is read', async () => {
  const asked: string[] = [];
  async function* endless() {
    for (;;) yield Buffer.from(crypto.getRandomValues(new Uint8Array(60_000)));
  }
  async function* parts(): AsyncGenerator<ZipPart> {
    for (const name of ['a', 'b']) {
      asked.push(name);
      yield { name, contents: endless() };
    }
  }
  const archive = writeZip(parts());
  await archive.next();
  await archive.next();

  expect(asked).toEqual(['a']);
  await archive.return(undefined);
});

it('fails when a part fails, in its contents or before them', async () => {
  async function* failing(): AsyncGenerator<Buffer> {
    yield Buffer.from('a');
    throw new Error('the list is gone');
  }
  async function* parts(): AsyncGenerator<ZipPart> {
    yield { name: 'a', contents: failing() };
  }
  async function* noParts(): AsyncGenerator<ZipPart> {
    yield { name: 'a', contents: 'a' };
    throw new Error('no more parts');
  }

  await expect(readAll(parts())).rejects.toThrow('the list is gone');
  await expect(readAll(noParts())).rejects.toThrow('no more parts');
});

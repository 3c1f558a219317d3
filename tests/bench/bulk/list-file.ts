import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { generateAddresses } from '../verifier/scenario.ts';

const linesAtATime = 5_000;

/** A customer's file: a name that needs quotes, the address, a number and a city, all addresses distinct. */
export async function writeListFile(folder: string, rowCount: number): Promise<string> {
  const path = join(folder, `people-${rowCount}.csv`);
  const file = createWriteStream(path);
  let lines = 'name,email,customer number,city\n';
  let row = 0;
  for (const { email } of generateAddresses(rowCount)) {
    lines += `"Person, the ${row}th",${email},${(row * 7_919) % 1_000_003},Bern\n`;
    row += 1;
    if (row % linesAtATime !== 0) continue;
    if (!file.write(lines)) await once(file, 'drain');
    lines = '';
  }
  await finished(file.end(lines));
  return path;
}

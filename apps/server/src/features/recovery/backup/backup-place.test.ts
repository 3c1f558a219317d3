import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openBackupPlace } from './backup-place.ts';

const noStore = { endpoint: null, region: 'us-east-1', credentials: null };

it('keeps one whole backup when two are written to the same file at once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-place-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const place = await openBackupPlace(join(folder, 'nightly.backup'), noStore);
  const secondBegan = Promise.withResolvers<void>();
  const firstEnded = Promise.withResolvers<void>();
  async function* slowly(letter: string, atHalf: Promise<void>, onHalf?: () => void) {
    yield Buffer.from(letter);
    onHalf?.();
    await atHalf;
    yield Buffer.from(letter);
  }

  const first = place.write(slowly('a', secondBegan.promise));
  const second = place.write(slowly('b', firstEnded.promise, secondBegan.resolve));
  await first;
  expect(await readFile(join(folder, 'nightly.backup'), 'utf8')).toBe('aa');
  firstEnded.resolve();
  await second;

  expect(await readFile(join(folder, 'nightly.backup'), 'utf8')).toBe('bb');
  expect(await readdir(folder)).toEqual(['nightly.backup']);
});

it('removes what a killed backup to the same file left, and nothing that may still be written', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-place-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const unfinished = (name: string) => `${name}.${randomUUID()}.part`;
  const killed = unfinished('nightly.backup');
  const kept = [unfinished('nightly.backup'), unfinished('other.backup'), 'nightly.backup.notes.part'];
  for (const name of [killed, ...kept]) await writeFile(join(folder, name), 'half');
  const twoHoursAgo = new Date(Date.now() - 7_200_000);
  for (const name of [killed, ...kept.slice(1)]) await utimes(join(folder, name), twoHoursAgo, twoHoursAgo);

  const place = await openBackupPlace(join(folder, 'nightly.backup'), noStore);
  await place.write(
    (async function* () {
      yield Buffer.from('whole');
    })(),
  );

  expect((await readdir(folder)).sort()).toEqual(['nightly.backup', ...kept].sort());
});

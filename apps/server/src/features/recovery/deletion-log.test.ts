import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { createFolderStore } from '../../platform/files/folder-store.ts';
import { readDeletions } from './deletion-log.ts';

it.each([
  ['empty', ''],
  ['cut short', '{"kind":"list","ownerId":"1'],
  ['of something else', '{"kind":"planet"}'],
])('names a file of the log that is %s, and what to do about it', async (_situation, text) => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-deletions-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const files = createFolderStore(folder);
  await files.write('deletions/2026-11-17/one', Readable.from([Buffer.from(text)]));

  const reading = readDeletions(files, new Date('2026-11-17T12:00:00Z')).next();
  await expect(reading).rejects.toThrow(
    'deletions/2026-11-17/one in the file store is damaged. Copy it again or remove it, then repeat the restore.',
  );
});

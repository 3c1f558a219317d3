import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { freePort } from '@assay/postgres/testing/free-port';
import { type ObjectStore, startObjectStore } from '@assay/stand-ins/object-store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestS3Store } from './testing/s3-store.ts';

const partBytes = 5 * 1024 * 1024;

async function* bytes(...pieces: (string | Buffer)[]) {
  for (const piece of pieces) yield Buffer.from(piece);
}

let objectStore: ObjectStore;
beforeEach(async () => {
  objectStore = await startObjectStore({ pageKeys: 2 });
});
afterEach(() => objectStore.close());

describe('opening an S3-compatible store', () => {
  it('proves that it can be used, and leaves nothing behind', async () => {
    await openTestS3Store(objectStore);

    expect(objectStore.calls).toEqual([
      'PutObject',
      'GetObject',
      'ListMultipartUploads',
      'ListObjectsV2',
      'DeleteObjects',
    ]);
    expect(objectStore.bucket('assay').objects.size).toBe(0);
  });

  it.each([
    [
      'a bucket that is not there',
      { ASSAY_FILES: 's3://elsewhere/files' },
      /s3:\/\/elsewhere\/files\/.*correct ASSAY_FILES/,
    ],
    ['a key that is not known', { S3_ACCESS_KEY_ID: 'AKIANOBODY' }, /correct S3_ACCESS_KEY_ID/],
    ['a wrong secret', { S3_SECRET_ACCESS_KEY: 'not-the-secret' }, /correct S3_SECRET_ACCESS_KEY/],
    ['another region', { S3_REGION: 'eu-central-1' }, /correct S3_REGION/],
  ])('refuses %s and says what to change', async (_name, env, words) => {
    const refusal = await openTestS3Store(objectStore, env).catch((error: Error) => error.message);

    expect(refusal).toMatch(words);
    expect(refusal).toContain(objectStore.endpoint);
    expect(refusal).not.toMatch(/not-the-secret|AKIA/);
  });

  it.each(['PutObject', 'GetObject', 'ListObjectsV2', 'ListMultipartUploads', 'DeleteObject'] as const)(
    'refuses a key that may not do %s',
    async (operation) => {
      objectStore.forbid(operation);

      await expect(openTestS3Store(objectStore)).rejects.toThrow(/allow it to list, read, write and delete/);
    },
  );

  it('refuses an address that does not answer', async () => {
    const env = { S3_ENDPOINT: `http://127.0.0.1:${await freePort()}` };

    await expect(openTestS3Store(objectStore, env)).rejects.toThrow(
      /cannot be reached: .*correct S3_ENDPOINT.*ECONNREFUSED/,
    );
  });

  it('refuses an address where something else answers', async () => {
    const port = await freePort();
    const server = createServer((_request, response) => response.writeHead(404).end('<p>Not here</p>'));
    server.listen(port, '127.0.0.1');

    await expect(openTestS3Store(objectStore, { S3_ENDPOINT: `http://127.0.0.1:${port}` })).rejects.toThrow(
      /cannot be used\. Correct ASSAY_FILES and the S3_ settings/,
    );
    server.close();
    server.closeAllConnections();
  });
});

describe('files in an S3-compatible store', () => {
  it('lie under the prefix, and others’ are not touched', async () => {
    const { objects } = objectStore.bucket('assay');
    objects.set('uploads/ann/theirs', Buffer.from('not ours'));
    const store = await openTestS3Store(objectStore, { ASSAY_FILES: 's3://assay/env/blue' });

    await store.write('uploads/ann/1', bytes('x'));
    expect([...objects.keys()].sort()).toEqual(['env/blue/uploads/ann/1', 'uploads/ann/theirs']);

    await store.removeAll('uploads/ann');
    expect([...objects.keys()]).toEqual(['uploads/ann/theirs']);
  });

  it('travel in parts, of which few wait in memory', async () => {
    const store = await openTestS3Store(objectStore);
    const { uploads } = objectStore.bucket('assay');
    const piece = Buffer.alloc(partBytes / 5, 'x');
    let taken = 0;
    let waitingMax = 0;
    const arrived = () =>
      [...uploads.values()]
        .flatMap(({ parts }) => [...parts.values()])
        .reduce((sum, part) => sum + part.length, 0);
    async function* long() {
      for (let count = 0; count < 60; count += 1) {
        taken += piece.length;
        waitingMax = Math.max(waitingMax, taken - arrived());
        yield piece;
      }
    }

    expect(await store.write('uploads/long', long())).toEqual({ byteCount: 12 * partBytes });

    expect(objectStore.calls.filter((call) => call === 'UploadPart')).toHaveLength(12);
    // Two on their way, one being filled, and the pieces between.
    expect(waitingMax).toBeLessThan(4 * partBytes);
    expect(objectStore.bucket('assay').objects.get('uploads/long')).toHaveLength(12 * partBytes);
  });

  it('of the greatest size allowed fit into as many parts as S3 takes', async () => {
    // 100 GB in 10,000 parts makes parts of 10 MB, so a file of 12 MB is two.
    const store = await openTestS3Store(objectStore, { UPLOAD_BYTES_MAX: String(100_000_000_000) });
    await store.write('uploads/wide', bytes(Buffer.alloc(12_000_000)));

    expect(objectStore.calls.filter((call) => call === 'UploadPart')).toHaveLength(2);
  });

  it.each(['UploadPart', 'CompleteMultipartUpload'] as const)(
    'leave neither an object nor an open upload when %s is refused',
    async (operation) => {
      const store = await openTestS3Store(objectStore);
      const { objects, uploads } = objectStore.bucket('assay');
      objectStore.forbid(operation);

      await expect(store.write('uploads/one', bytes(Buffer.alloc(12_000_000)))).rejects.toThrow(
        'Access Denied',
      );
      expect([objects.size, uploads.size]).toEqual([0, 0]);
    },
  );

  it('tell what went wrong first, even when the upload cannot be ended', async () => {
    const store = await openTestS3Store(objectStore);
    objectStore.forbid('AbortMultipartUpload');
    async function* breaking() {
      yield* bytes(Buffer.alloc(12_000_000));
      throw new Error('the line went dead');
    }

    await expect(store.write('uploads/one', breaking())).rejects.toThrow('the line went dead');
  });

  it('are removed page by page, open uploads too', async () => {
    const store = await openTestS3Store(objectStore);
    const bucket = objectStore.bucket('assay');
    for (let count = 0; count < 5; count += 1) {
      await store.write(`uploads/ann/${count}`, bytes('x'));
      bucket.openUpload(`uploads/ann/open-${count}`);
    }
    expect([bucket.objects.size, bucket.uploads.size]).toEqual([5, 5]);

    await store.removeAll('uploads/ann');

    expect([bucket.objects.size, bucket.uploads.size]).toEqual([0, 0]);
    expect(objectStore.calls.filter((call) => call === 'DeleteObjects')).toHaveLength(1 + 3);
  });

  it('fail to be read when the line breaks on the way, rather than end early', async () => {
    const store = await openTestS3Store(objectStore);
    await store.write('uploads/one', bytes(Buffer.alloc(1_000_000)));
    objectStore.cutNextRead();

    await expect(buffer(store.read('uploads/one'))).rejects.toThrow(/aborted/);
  });
});

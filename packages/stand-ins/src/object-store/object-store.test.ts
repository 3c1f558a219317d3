import { Readable } from 'node:stream';
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ObjectStore, startObjectStore } from './index.ts';

let store: ObjectStore;
let client: S3Client;
beforeAll(async () => {
  store = await startObjectStore();
  // With all its checksums, unlike the product's own client.
  client = new S3Client({ ...store, forcePathStyle: true });
});
afterAll(() => store.close());

const object = (Key: string) => ({ Bucket: 'assay', Key });
const textOf = async (Key: string) =>
  (await client.send(new GetObjectCommand(object(Key)))).Body?.transformToString();

describe('the object store, asked by Amazon’s own client', () => {
  it('keeps an object whose checksum comes behind it', async () => {
    const Body = Readable.from([Buffer.from('one, '), Buffer.from('two')], { objectMode: false });
    await client.send(new PutObjectCommand({ ...object('streamed'), Body, ContentLength: 8 }));

    expect(await textOf('streamed')).toBe('one, two');
  });

  it('keeps names with letters that addresses and XML have to write differently', async () => {
    const Key = "a b/ü+&<'(1)*%.csv";
    await client.send(new PutObjectCommand({ ...object(Key), Body: 'x' }));

    expect(await textOf(Key)).toBe('x');
    const listed = await client.send(new ListObjectsV2Command({ Bucket: 'assay', Prefix: 'a b/' }));
    expect(listed.Contents?.map((found) => found.Key)).toEqual([Key]);
  });

  it('refuses a body that was damaged on the way', async () => {
    const damaged = new PutObjectCommand({ ...object('damaged'), Body: 'x', ChecksumCRC32: 'AAAAAA==' });

    await expect(client.send(damaged)).rejects.toMatchObject({ name: 'BadDigest' });
    await expect(textOf('damaged')).rejects.toMatchObject({ name: 'NoSuchKey' });
  });

  it('refuses deletions in batches without Content-MD5, as many stores do', async () => {
    const deletion = new DeleteObjectsCommand({ Bucket: 'assay', Delete: { Objects: [{ Key: 'x' }] } });

    await expect(client.send(deletion)).rejects.toMatchObject({ name: 'MissingContentMD5' });
  });

  it('refuses to put together parts that are too small or not there', async () => {
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(object('parts')));
    const put = (PartNumber: number) =>
      client.send(new UploadPartCommand({ ...object('parts'), UploadId, PartNumber, Body: 'small' }));
    const ETag = (await put(1)).ETag;
    await put(2);
    const complete = (...Parts: { PartNumber: number; ETag: string | undefined }[]) =>
      client.send(
        new CompleteMultipartUploadCommand({ ...object('parts'), UploadId, MultipartUpload: { Parts } }),
      );

    await expect(complete({ PartNumber: 1, ETag }, { PartNumber: 2, ETag })).rejects.toMatchObject({
      name: 'EntityTooSmall',
    });
    await expect(complete({ PartNumber: 3, ETag })).rejects.toMatchObject({ name: 'InvalidPart' });
    expect(store.bucket('assay').uploads.size).toBe(1);
  });
});

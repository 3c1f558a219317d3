import { type Bucket, etagOf } from './bucket.ts';
import { StoreRefusal } from './errors.ts';
import { textsOf, xmlDocument } from './xml.ts';

export interface Call {
  readonly bucket: Bucket;
  readonly key: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly payload: Buffer;
  /** Keys that one listing shows at the most. */
  readonly pageKeys: number;
  readonly isForbidden: (operation: Operation) => boolean;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

const xml = (name: string, fields: Parameters<typeof xmlDocument>[1]): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/xml' },
  body: xmlDocument(name, fields),
});

const uploadOf = ({ key, query }: Call) => ({ key, id: query.get('uploadId') ?? '' });

/** Each call by the name that S3 gives it. */
export const operations = {
  PutObject: ({ bucket, key, payload }: Call): Answer => {
    bucket.objects.set(key, payload);
    return { status: 200, headers: { etag: etagOf(payload) } };
  },
  GetObject: ({ bucket, key }: Call): Answer => {
    const body = bucket.find(key);
    return { status: 200, headers: { etag: etagOf(body), 'content-type': 'application/octet-stream' }, body };
  },
  DeleteObject: ({ bucket, key }: Call): Answer => {
    bucket.objects.delete(key);
    return { status: 204 };
  },
  DeleteObjects: ({ bucket, headers, payload, isForbidden }: Call): Answer => {
    // Amazon takes a newer checksum in its place; many other stores do not, and so this one does not either.
    if (!headers['content-md5']) {
      throw new StoreRefusal('MissingContentMD5', 'Missing required header for this request: Content-Md5.');
    }
    const keys = textsOf(payload.toString(), 'Key');
    // The call as a whole succeeds, as S3's does.
    if (isForbidden('DeleteObject')) {
      return xml('DeleteResult', {
        Error: keys.map((key) => ({ Key: key, Code: 'AccessDenied', Message: 'Access Denied' })),
      });
    }
    for (const key of keys) bucket.objects.delete(key);
    return xml('DeleteResult', {});
  },
  ListObjectsV2: ({ bucket, query, pageKeys }: Call): Answer => {
    const prefix = query.get('prefix') ?? '';
    const after = query.get('continuation-token') ?? '';
    const rest = [...bucket.objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    const page = rest.slice(0, Math.min(pageKeys, Number(query.get('max-keys') ?? 1_000)));
    const isTruncated = page.length < rest.length;
    return xml('ListBucketResult', {
      Prefix: prefix,
      KeyCount: page.length,
      IsTruncated: isTruncated,
      ...(isTruncated && { NextContinuationToken: page.at(-1) ?? '' }),
      Contents: page.map((key) => ({ Key: key, Size: bucket.find(key).length })),
    });
  },
  ListMultipartUploads: ({ bucket, query, pageKeys }: Call): Answer => {
    const prefix = query.get('prefix') ?? '';
    const after = `${query.get('key-marker') ?? ''} ${query.get('upload-id-marker') ?? ''}`;
    const rest = [...bucket.uploads]
      .map(([id, { key }]) => ({ Key: key, UploadId: id }))
      .filter(({ Key, UploadId }) => Key.startsWith(prefix) && `${Key} ${UploadId}` > after)
      .sort((one, other) => (`${one.Key} ${one.UploadId}` < `${other.Key} ${other.UploadId}` ? -1 : 1));
    const page = rest.slice(0, pageKeys);
    const last = page.at(-1);
    const isTruncated = page.length < rest.length;
    return xml('ListMultipartUploadsResult', {
      IsTruncated: isTruncated,
      ...(isTruncated && last && { NextKeyMarker: last.Key, NextUploadIdMarker: last.UploadId }),
      Upload: page,
    });
  },
  CreateMultipartUpload: ({ bucket, key }: Call): Answer =>
    xml('InitiateMultipartUploadResult', { Key: key, UploadId: bucket.openUpload(key) }),
  UploadPart: (call: Call): Answer => {
    const number = Number(call.query.get('partNumber'));
    return { status: 200, headers: { etag: call.bucket.putPart(uploadOf(call), number, call.payload) } };
  },
  CompleteMultipartUpload: (call: Call): Answer => {
    const parts = textsOf(call.payload.toString(), 'Part').map((part) => ({
      number: Number(textsOf(part, 'PartNumber')[0]),
      etag: textsOf(part, 'ETag')[0] ?? '',
    }));
    call.bucket.complete(uploadOf(call), parts);
    return xml('CompleteMultipartUploadResult', { Key: call.key });
  },
  AbortMultipartUpload: (call: Call): Answer => {
    call.bucket.abort(uploadOf(call));
    return { status: 204 };
  },
} as const;

export type Operation = keyof typeof operations;

/** Finds the call of a request as S3 does: by method, by the presence of a key, and by words of the query. */
export function operationOf(method: string, hasKey: boolean, query: URLSearchParams): Operation {
  const ofUpload = query.has('uploadId');
  const ways: Record<string, Operation> = hasKey
    ? {
        GET: 'GetObject',
        PUT: ofUpload ? 'UploadPart' : 'PutObject',
        DELETE: ofUpload ? 'AbortMultipartUpload' : 'DeleteObject',
        POST: ofUpload ? 'CompleteMultipartUpload' : 'CreateMultipartUpload',
      }
    : { GET: query.has('uploads') ? 'ListMultipartUploads' : 'ListObjectsV2', POST: 'DeleteObjects' };
  const operation = ways[method];
  if (!operation) throw new StoreRefusal('NotImplemented', `${method} is not known here.`);
  return operation;
}

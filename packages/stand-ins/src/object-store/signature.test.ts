import { describe, expect, it } from 'vitest';
import { checkSignature, sha256, signatureOf } from './signature.ts';

// The examples of Amazon's own page on signing in headers.
const credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
const scope = { date: '20130524', region: 'us-east-1' };
const headers = {
  host: 'examplebucket.s3.amazonaws.com',
  'x-amz-content-sha256': sha256(''),
  'x-amz-date': '20130524T000000Z',
};
const getObject = {
  method: 'GET',
  path: '/test.txt',
  query: new URLSearchParams(),
  headers: { ...headers, range: 'bytes=0-9' },
};
const getObjectSignature = 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41';
const signed = 'host;range;x-amz-content-sha256;x-amz-date';

const authorized = (changes: Record<string, string> = {}, signedHeaders = signed) => ({
  ...getObject,
  headers: {
    ...getObject.headers,
    authorization: `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/20130524/us-east-1/s3/aws4_request,SignedHeaders=${signedHeaders},Signature=${getObjectSignature}`,
    ...changes,
  },
});
const sent = new Date('2013-05-24T00:05:00Z');
const check = (request: ReturnType<typeof authorized>, changes: { region?: string; now?: Date } = {}) =>
  checkSignature(request, { credentials, region: 'us-east-1', now: sent, ...changes });

describe('Signature Version 4', () => {
  it.each([
    ['GET Object', getObject, signed, getObjectSignature],
    [
      'GET Bucket Lifecycle',
      { method: 'GET', path: '/', query: new URLSearchParams('lifecycle'), headers },
      'host;x-amz-content-sha256;x-amz-date',
      'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
    ],
    [
      'GET Bucket (List Objects)',
      { method: 'GET', path: '/', query: new URLSearchParams('prefix=J&max-keys=2'), headers },
      'host;x-amz-content-sha256;x-amz-date',
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    ],
  ])('is what Amazon prints for %s', (_name, request, signedHeaders, due) => {
    const given = { ...scope, signedHeaders: signedHeaders.split(';') };

    expect(signatureOf(request, given, credentials.secretAccessKey)).toBe(due);
  });

  it('lets a request through that its sender signed', () => {
    expect(() => check(authorized())).not.toThrow();
  });

  it.each([
    ['that is not signed', authorized({ authorization: '' }), {}, 'AccessDenied'],
    ['of which a header was changed', authorized({ range: 'bytes=0-99' }), {}, 'SignatureDoesNotMatch'],
    ['with a header that should be signed', authorized({ 'x-amz-acl': 'public' }), {}, 'AccessDenied'],
    ['for another region', authorized(), { region: 'eu-central-1' }, 'AuthorizationHeaderMalformed'],
    ['from long ago', authorized(), { now: new Date('2013-05-24T00:15:01Z') }, 'RequestTimeTooSkewed'],
  ])('refuses a request %s', (_name, request, changes, code) => {
    expect(() => check(request, changes)).toThrow(expect.objectContaining({ code }));
  });
});

import { xmlDocument } from './xml.ts';

const statuses = {
  AccessDenied: 403,
  AuthorizationHeaderMalformed: 400,
  BadDigest: 400,
  EntityTooSmall: 400,
  InvalidAccessKeyId: 403,
  InvalidPart: 400,
  InvalidPartOrder: 400,
  MissingContentMD5: 400,
  NoSuchBucket: 404,
  NoSuchKey: 404,
  NoSuchUpload: 404,
  NotImplemented: 501,
  RequestTimeTooSkewed: 403,
  SignatureDoesNotMatch: 403,
  XAmzContentSHA256Mismatch: 400,
} as const;

/** What S3 refuses, by the codes of its own that clients look at. */
export class StoreRefusal extends Error {
  readonly code: keyof typeof statuses;

  constructor(code: keyof typeof statuses, message: string) {
    super(message);
    this.code = code;
  }

  get status(): number {
    return statuses[this.code];
  }

  get body(): string {
    return xmlDocument('Error', { Code: this.code, Message: this.message });
  }
}

export type { CallOptions, ClientOptions } from './call.ts';
export { type Client, type ClientOf, createClient, createClientOf } from './client.ts';
export {
  ApiError,
  BadRequestError,
  ForbiddenError,
  InternalServerError,
  isAbort,
  NotFoundError,
  ServiceUnavailableError,
  UnauthorizedError,
  UnknownError,
} from './errors.ts';
export { eachOf } from './pages.ts';
export type { Connection, WaitReason } from './patience.ts';
export { connectRealtime, type RealtimeChannel, type RealtimeState } from './realtime.ts';
export { isoWithOffset } from './request-url.ts';
export type { UploadProgress } from './upload.ts';

import { randomBytes } from 'node:crypto';
import { FEED_SECRET_PREFIX } from '@assay/contract';

const secretBytes = 24;

/** In letters and digits only, because it is written into addresses. */
export const newFeedSecret = (): string => FEED_SECRET_PREFIX + randomBytes(secretBytes).toString('hex');

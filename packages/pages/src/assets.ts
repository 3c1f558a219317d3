import { createHash } from 'node:crypto';
import type { Answer } from './server.ts';

interface Asset {
  readonly type: string;
  readonly body: Buffer;
}

const types = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
} as const;

export const keptForEver = 'public, max-age=31536000, immutable';

const assets = new Map<string, Asset>();

/** Publishes a file, and returns its path. The path contains a hash of the content, so that browsers may keep it for ever. */
export function publish(stem: string, extension: keyof typeof types, body: Buffer | string): string {
  const bytes = Buffer.from(body);
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
  const path = `/assets/${stem}-${digest}.${extension}`;
  assets.set(path, { type: types[extension], body: bytes });
  return path;
}

export const findAsset = (path: string): Asset | undefined => assets.get(path);

/** The same as the answer to a request. */
export function assetAnswer({ method, path }: { method: string; path: string }): Answer | undefined {
  const asset = method === 'GET' ? findAsset(path) : undefined;
  return (
    asset && {
      status: 200,
      headers: {
        'content-type': asset.type,
        'cache-control': keptForEver,
        'x-content-type-options': 'nosniff',
      },
      body: asset.body,
    }
  );
}

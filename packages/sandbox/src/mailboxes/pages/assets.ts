import { readFileSync } from 'node:fs';
import type { Answer } from '../../web/server.ts';
import { typefacePath } from '../../web/typeface.ts';

const files: Readonly<Record<string, { type: string; read: () => Buffer }>> = {
  '/assets/mailboxes.css': {
    type: 'text/css; charset=utf-8',
    read: () => readFileSync(new URL('./mailboxes.css', import.meta.url)),
  },
  '/assets/plex.woff2': { type: 'font/woff2', read: () => readFileSync(typefacePath) },
};

export function findAsset(path: string): Answer | undefined {
  const file = files[path];
  return (
    file && {
      status: 200,
      headers: {
        'content-type': file.type,
        'cache-control': 'public, max-age=3600',
        'x-content-type-options': 'nosniff',
      },
      body: file.read(),
    }
  );
}

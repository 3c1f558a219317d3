import { readFileSync } from 'node:fs';
import type { Answer } from '../../web/server.ts';
import { typefacePath } from '../../web/typeface.ts';

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#98481a"/><path d="M8 12.5h16M8 17h9" stroke="#fdfaf4" stroke-width="2.6" stroke-linecap="round" fill="none"/><path d="m19 21 2.4 2.4L26 19" stroke="#fdfaf4" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round" fill="none"/></svg>`;

const stylesheet = (name: string) => ({
  type: 'text/css; charset=utf-8',
  read: () => readFileSync(new URL(name, import.meta.url)),
});

const files: Record<string, { type: string; read: () => Buffer }> = {
  '/assets/base.css': stylesheet('./base.css'),
  '/assets/parts.css': stylesheet('./parts.css'),
  '/assets/plex.woff2': { type: 'font/woff2', read: () => readFileSync(typefacePath) },
  '/assets/icon.svg': { type: 'image/svg+xml', read: () => Buffer.from(icon) },
};

const contents = new Map<string, Buffer>();

export function findAsset(path: string): Answer | undefined {
  const file = files[path];
  if (file === undefined) return undefined;
  const body = contents.get(path) ?? file.read();
  contents.set(path, body);
  return {
    status: 200,
    headers: {
      'content-type': file.type,
      'cache-control': 'public, max-age=3600',
      'x-content-type-options': 'nosniff',
    },
    body,
  };
}

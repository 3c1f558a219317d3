import type { FastifyInstance } from 'fastify';
import type { Config } from '../../platform/config/index.ts';
import { readDocsAssets } from './docs-assets.ts';
import { guidePages } from './guide-pages.ts';
import { markdownPathOf } from './llms.ts';
import { QUERY_LENGTH_MAX, SEARCH_PATH } from './page-layout.ts';
import type { OpenApiDocument } from './reference/operations.ts';
import { REFERENCE_PATH } from './reference/sections.ts';
import { buildSite, type Site, sectionsOf } from './site.ts';

const isPublic = { config: { auth: 'public' } } as const;
const fresh = { 'cache-control': 'no-cache' };

/** The guide and the reference at `/docs`, rendered at the first request. */
export function registerDocs(app: FastifyInstance, config: Config): void {
  const { paths, assets } = readDocsAssets();
  let rendered: Promise<Site> | undefined;
  const site = (): Promise<Site> => {
    rendered ??= buildSite(config, app.swagger() as OpenApiDocument, paths).catch((error: unknown) => {
      // The next request tries again.
      rendered = undefined;
      throw error;
    });
    return rendered;
  };
  for (const { path, type, body } of assets) {
    app.get(path, isPublic, async (_request, reply) =>
      reply.type(type).header('cache-control', 'public, max-age=31536000, immutable').send(body),
    );
  }
  for (const { path } of [...guidePages, { path: REFERENCE_PATH }, ...sectionsOf(config)]) {
    for (const url of [path, `${path}/`]) {
      app.get(url, isPublic, async (_request, reply) =>
        reply
          .type('text/html; charset=utf-8')
          .headers(fresh)
          .send((await site()).pages.get(path)),
      );
    }
  }
  for (const page of guidePages) {
    const path = markdownPathOf(page);
    app.get(path, isPublic, async (_request, reply) =>
      reply
        .type('text/markdown; charset=utf-8')
        .headers(fresh)
        .send((await site()).texts.get(path)),
    );
  }
  app.get('/llms.txt', isPublic, async (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .headers(fresh)
      .send((await site()).llmsText),
  );
  app.get<{ Querystring: { q?: unknown } }>(SEARCH_PATH, isPublic, async ({ query: { q } }, reply) => {
    const query = typeof q === 'string' ? q.slice(0, QUERY_LENGTH_MAX) : '';
    return reply
      .type('text/html; charset=utf-8')
      .headers(fresh)
      .send((await site()).renderSearch(query));
  });
}

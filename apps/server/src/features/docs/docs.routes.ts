import { GUESSING_DOCS_COOKIE } from '@assay/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../../platform/config/index.ts';
import { AppError } from '../../platform/errors/index.ts';
import { prefersPage } from '../../platform/http/index.ts';
import { readDocsAssets } from './docs-assets.ts';
import { guidePages } from './guide-pages.ts';
import { markdownPathOf } from './llms.ts';
import { QUERY_LENGTH_MAX, SEARCH_PATH } from './page-layout.ts';
import type { OpenApiDocument } from './reference/operations.ts';
import { REFERENCE_PATH } from './reference/sections.ts';
import { robotsText, sitemapText } from './robots.ts';
import { buildSite, type Site, sectionsFor } from './site.ts';

const isPublic = { config: { auth: 'public' } } as const;
const fresh = { 'cache-control': 'no-cache', vary: 'cookie' };

/** The guide and the reference at `/docs`, rendered at the first request. */
export function registerDocs(app: FastifyInstance, config: Config): void {
  const { paths, assets } = readDocsAssets();
  const rendered = new Map<boolean, Promise<Site>>();
  const siteFor = (request: FastifyRequest): Promise<Site> => {
    const hasGuessing = readsOfGuessing(request);
    const site =
      rendered.get(hasGuessing) ??
      buildSite({ hasGuessing }, config, app.swagger() as OpenApiDocument, paths).catch((error: unknown) => {
        // The next request tries again.
        rendered.delete(hasGuessing);
        throw error;
      });
    rendered.set(hasGuessing, site);
    return site;
  };
  for (const { path, type, body } of assets) {
    app.get(path, isPublic, async (_request, reply) =>
      reply.type(type).header('cache-control', 'public, max-age=31536000, immutable').send(body),
    );
  }
  for (const { path } of [
    ...guidePages,
    { path: REFERENCE_PATH },
    ...sectionsFor({ hasGuessing: true }, config),
  ]) {
    for (const url of [path, `${path}/`]) {
      app.get(url, isPublic, async (request, reply) => {
        const page = (await siteFor(request)).pages.get(path);
        if (page === undefined) throw new AppError('route_not_found');
        return reply.type('text/html; charset=utf-8').headers(fresh).send(page);
      });
    }
  }
  for (const page of guidePages) {
    const path = markdownPathOf(page);
    app.get(path, isPublic, async (request, reply) =>
      reply
        .type('text/markdown; charset=utf-8')
        .headers(fresh)
        .send((await siteFor(request)).texts.get(path)),
    );
  }
  app.get('/docs/*', isPublic, async (request, reply) => {
    if (!prefersPage(request)) throw new AppError('route_not_found');
    const page = (await siteFor(request)).notFoundPage;
    return reply.code(404).type('text/html; charset=utf-8').headers(fresh).send(page);
  });
  app.get('/robots.txt', isPublic, async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').headers(fresh).send(robotsText(config.publicUrl)),
  );
  app.get('/sitemap.xml', isPublic, async (_request, reply) =>
    reply.type('application/xml; charset=utf-8').headers(fresh).send(sitemapText(config)),
  );
  app.get('/llms.txt', isPublic, async (request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .headers(fresh)
      .send((await siteFor(request)).llmsText),
  );
  app.get('/docs/openapi.json', isPublic, async (request, reply) =>
    reply.headers(fresh).send((await siteFor(request)).document),
  );
  app.get<{ Querystring: { q?: unknown } }>(SEARCH_PATH, isPublic, async (request, reply) => {
    const { q } = request.query;
    const query = typeof q === 'string' ? q.slice(0, QUERY_LENGTH_MAX) : '';
    return reply
      .type('text/html; charset=utf-8')
      .headers(fresh)
      .send((await siteFor(request)).renderSearch(query));
  });
}

const guessingCookie = `${GUESSING_DOCS_COOKIE.name}=${GUESSING_DOCS_COOKIE.value}`;
const readsOfGuessing = ({ headers }: FastifyRequest): boolean =>
  (headers.cookie ?? '').split('; ').includes(guessingCookie);

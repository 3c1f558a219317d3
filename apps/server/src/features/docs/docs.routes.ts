import { GUESSING_DOCS_COOKIE } from '@assay/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../../platform/config/index.ts';
import { AppError } from '../../platform/errors/index.ts';
import { KeptAnswer, prefersPage } from '../../platform/http/index.ts';
import { readDocsAssets } from './docs-assets.ts';
import { guidePages } from './guide-pages.ts';
import { markdownPathOf } from './llms.ts';
import { QUERY_LENGTH_MAX, SEARCH_PATH } from './page-layout.ts';
import { POSTMASTER_PATH, renderPostmasterPage } from './postmaster-page.ts';
import type { OpenApiDocument } from './reference/operations.ts';
import { REFERENCE_PATH } from './reference/sections.ts';
import { robotsText, sitemapText } from './robots.ts';
import { buildSite, type Site, sectionsFor } from './site.ts';

const isPublic = { config: { auth: 'public', pageKind: 'documentation' } } as const;
const isSearch = { config: { auth: 'public', pageKind: 'search' } } as const;
const fresh = { 'cache-control': 'no-cache', vary: 'cookie' };

/** The guide and the reference at `/docs`, rendered at the first request. */
export function registerDocs(app: FastifyInstance, config: Config): void {
  const { paths, assets } = readDocsAssets();
  const rendered = new Map<boolean, Promise<KeptSite>>();
  const siteFor = (request: FastifyRequest): Promise<KeptSite> => {
    const hasGuessing = readsOfGuessing(request);
    const site =
      rendered.get(hasGuessing) ??
      buildSite({ hasGuessing }, config, app.swagger() as OpenApiDocument, paths)
        .then(keepSite)
        .catch((error: unknown) => {
          // The next request tries again.
          rendered.delete(hasGuessing);
          throw error;
        });
    rendered.set(hasGuessing, site);
    return site;
  };
  for (const { path, type, body } of assets) {
    const kept = new KeptAnswer(type, body);
    app.get(path, isPublic, (request, reply) =>
      kept.send(request, reply, { 'cache-control': 'public, max-age=31536000, immutable' }),
    );
  }
  const serve = (url: string, path = url): void => {
    app.get(url, isPublic, async (request, reply) => {
      const answer = (await siteFor(request)).answers.get(path);
      if (!answer) throw new AppError('route_not_found');
      return answer.send(request, reply, fresh);
    });
  };
  const sections = sectionsFor({ hasGuessing: true }, config);
  for (const { path } of [...guidePages, { path: REFERENCE_PATH }, ...sections]) {
    serve(path);
    serve(`${path}/`, path);
  }
  for (const page of guidePages) serve(markdownPathOf(page));
  serve(LLMS_PATH);
  serve(OPENAPI_PATH);
  for (const [path, kept] of [
    ['/robots.txt', new KeptAnswer('text/plain; charset=utf-8', robotsText(config.publicUrl))],
    ['/sitemap.xml', new KeptAnswer('application/xml; charset=utf-8', sitemapText(config))],
    [POSTMASTER_PATH, new KeptAnswer('text/html; charset=utf-8', renderPostmasterPage(config, paths))],
  ] as const) {
    app.get(path, isPublic, (request, reply) => kept.send(request, reply, { 'cache-control': 'no-cache' }));
  }
  app.get('/docs/*', isPublic, async (request, reply) => {
    if (!prefersPage(request)) throw new AppError('route_not_found');
    const page = (await siteFor(request)).site.notFoundPage;
    return reply.code(404).type('text/html; charset=utf-8').headers(fresh).send(page);
  });
  app.get<{ Querystring: { q?: unknown } }>(SEARCH_PATH, isSearch, async (request, reply) => {
    const { q } = request.query;
    const query = typeof q === 'string' ? q.slice(0, QUERY_LENGTH_MAX) : '';
    return reply
      .type('text/html; charset=utf-8')
      .headers(fresh)
      .send((await siteFor(request)).site.renderSearch(query));
  });
}

const LLMS_PATH = '/llms.txt';
const OPENAPI_PATH = '/docs/openapi.json';

interface KeptSite {
  readonly site: Site;
  readonly answers: ReadonlyMap<string, KeptAnswer>;
}

function keepSite(site: Site): KeptSite {
  const keep = (type: string) => (entry: readonly [path: string, text: string]) =>
    [entry[0], new KeptAnswer(`${type}; charset=utf-8`, entry[1])] as const;
  const answers = new Map([
    ...[...site.pages].map(keep('text/html')),
    ...[...site.texts].map(keep('text/markdown')),
    keep('text/plain')([LLMS_PATH, site.llmsText]),
    keep('application/json')([OPENAPI_PATH, JSON.stringify(site.document)]),
  ]);
  return { site, answers };
}

const guessingCookie = `${GUESSING_DOCS_COOKIE.name}=${GUESSING_DOCS_COOKIE.value}`;
const readsOfGuessing = ({ headers }: FastifyRequest): boolean =>
  (headers.cookie ?? '').split('; ').includes(guessingCookie);

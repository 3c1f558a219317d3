import { access } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { API_BASE, type AppConfig, appConfigSchema, type Version, versionSchema } from '@assay/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors/index.ts';
import { pathOf, prefersPage, refuseUnknownRoute, sendRefusal } from './error-handler.ts';
import { refusalFor } from './refusals.ts';
import type { RouteList } from './route-list.ts';

export interface WebAppOptions {
  /** The built web app. While it is not built, or null, only its addresses are missing. */
  readonly root: string | null;
  readonly config: AppConfig;
  readonly version: Version;
  readonly routeList: RouteList;
}

/** Vite writes the hash of the content into the names below this folder, so that they never change. */
const hashedFolder = `assets${sep}`;
/** Names below this folder have a version in them. */
const downloadsFolder = `downloads${sep}`;

/** The built web app, and the two small files that it learns its surroundings from. */
export async function addWebApp(app: FastifyInstance, options: WebAppOptions): Promise<void> {
  const fresh = { 'cache-control': 'no-cache' };
  app.get(
    '/config.json',
    { config: { auth: 'public' }, schema: { response: { 200: appConfigSchema } } },
    async (_request, reply) => reply.headers(fresh).send(options.config),
  );
  app.get(
    '/version.json',
    { config: { auth: 'public' }, schema: { response: { 200: versionSchema } } },
    async (_request, reply) => reply.headers(fresh).send(options.version),
  );
  const refuse = refuseUnknownRoute(options.routeList);
  if (options.root !== null && (await isWebAppIn(options.root))) await serveFiles(app, options.root, refuse);
  else app.setNotFoundHandler(refuse);
}

async function serveFiles(
  app: FastifyInstance,
  root: string,
  refuse: ReturnType<typeof refuseUnknownRoute>,
): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, auth: 'public' };
    });
    await scope.register(import('@fastify/static'), {
      root,
      // Files that the build compressed once are sent as they are; others are compressed on the way.
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        reply.header('cache-control', cachingOf(relative(root, path)));
      },
    });
    scope.setErrorHandler(redirectOrRefuse);
    scope.setNotFoundHandler((request, reply) =>
      isForPage(request) ? reply.sendFile('index.html') : refuse(request, reply),
    );
  });
}

function cachingOf(path: string): string {
  if (path.startsWith(hashedFolder)) return 'public, max-age=31536000, immutable';
  return path.startsWith(downloadsFolder) ? 'public, max-age=3600' : 'no-cache';
}

/** Leads a person who opens a malformed URL to the not-found page. All other errors get the error model. */
export function redirectOrRefuse(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const isMalformed = !(error instanceof AppError) && refusalFor(error).code === 'bad_request';
  return isMalformed && isForPage(request)
    ? reply.redirect('/not-found')
    : sendRefusal(error, request, reply);
}

/** A program that asks for a file, such as /favicon.ico, must not get the app's page in its place. */
const isForPage = (request: FastifyRequest): boolean => {
  const path = pathOf(request.url);
  const isFile = /\.\w+$/.test(path);
  return (
    ['GET', 'HEAD'].includes(request.method) && !belongsToServer(path) && (!isFile || prefersPage(request))
  );
};

/** Addresses below these, and missing files of the build, are never answered with the app's page. */
const serverFolders = [API_BASE, '/docs', '/health', '/assets', '/downloads'];
const belongsToServer = (path: string): boolean =>
  serverFolders.some((folder) => path === folder || path.startsWith(`${folder}/`));

export const isWebAppIn = (folder: string): Promise<boolean> =>
  access(join(folder, 'index.html')).then(
    () => true,
    () => false,
  );

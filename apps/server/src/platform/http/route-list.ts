import { isOperatorRole, type RouteAuth, type RouteContract } from '@assay/contract';
import type { FastifyInstance } from 'fastify';

interface ListedRoute {
  readonly method: string;
  readonly url: string;
  readonly auth: RouteAuth | undefined;
  readonly contract: RouteContract | undefined;
}

export interface RouteList {
  readonly routes: readonly ListedRoute[];
  /** The methods that some route takes at this path. Calls of operators do not exist for others, so they are left out. */
  methodsAt(path: string): string[];
}

/** Remembers every route, and lets nothing start while one does not say who may call it. */
export function listRoutes(app: FastifyInstance): RouteList {
  const routes: ListedRoute[] = [];

  app.addHook('onRoute', (route) => {
    for (const method of [route.method].flat()) {
      // Read late: a plugin's routes get their rule from a hook of the scope that the plugin is registered in.
      routes.push({
        method,
        url: route.url,
        get auth() {
          return route.config?.auth;
        },
        get contract() {
          return route.config?.contract;
        },
      });
    }
  });
  app.addHook('onReady', async () => {
    const open = routes
      .filter((route) => route.auth === undefined)
      .map(({ method, url }) => `${method} ${url}`);
    if (open.length > 0) throw new Error(`These routes do not say who may call them: ${open.join(', ')}`);
  });

  return {
    routes,
    methodsAt: (path) => {
      const found = routes.filter(
        ({ url, auth }) => !isOperatorRole(auth) && !url.includes('*') && isAt(url, path),
      );
      return [...new Set(found.map(({ method }) => method))].sort();
    },
  };
}

function isAt(url: string, path: string): boolean {
  const wanted = url.split('/');
  const given = path.split('/');
  return (
    wanted.length === given.length &&
    wanted.every((segment, place) =>
      segment.startsWith(':') ? given[place] !== '' : segment === given[place],
    )
  );
}

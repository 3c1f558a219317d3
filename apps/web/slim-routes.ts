import { type RouteContract, routes, SENT_FIELDS, type SentRoute } from '@assay/contract';
import type { Plugin } from 'vite';

type RouteTree = Readonly<Record<string, Readonly<Record<string, RouteContract>>>>;

const routesModule = '/packages/contract/src/routes.ts';

/**
 * Builds the contract's routes without their schemas, which only the server checks. Constructing the schemas of every call
 * took most of the time before the first page.
 */
export function slimRoutes(): Plugin {
  let isFound = false;
  return {
    name: 'assay:slim-routes',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      if (!id.endsWith(routesModule)) return null;
      isFound = true;
      return `export const routes = ${JSON.stringify(withoutSchemas(routes))};`;
    },
    buildEnd(error) {
      if (!error && !isFound) this.error(`The build has no ${routesModule}.`);
    },
  };
}

export const withoutSchemas = (tree: RouteTree): Record<string, Record<string, SentRoute>> =>
  mapValues(tree, (calls) => mapValues(calls, sentPartOf));

const sentPartOf = (route: RouteContract): SentRoute =>
  Object.fromEntries(SENT_FIELDS.map((name) => [name, route[name]])) as unknown as SentRoute;

const mapValues = <Value, Mapped>(
  record: Readonly<Record<string, Value>>,
  map: (value: Value) => Mapped,
): Record<string, Mapped> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));

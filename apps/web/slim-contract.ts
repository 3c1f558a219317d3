import { type RouteContract, routes, SENT_FIELDS, type SentRoute } from '@assay/contract';
import { operatorRoutes } from '@assay/contract/operator';
import type { Plugin } from 'vite';

type Calls = Readonly<Record<string, RouteContract>>;

const contractFolder = '/packages/contract/src/';
const slimModules = new Map([
  [
    `${contractFolder}routes.ts`,
    `export const routes = ${JSON.stringify(mapValues(routes, withoutSchemas))};`,
  ],
  [
    `${contractFolder}operator/routes.ts`,
    `export const operatorRoutes = ${JSON.stringify(withoutSchemas(operatorRoutes))};`,
  ],
]);

/**
 * Builds the contract without the schemas that only the server checks. Routes lose theirs; the bundler drops every other
 * schema that no form uses. Constructing them took most of the time before the first page.
 */
export function slimContract(): Plugin {
  const found = new Set<string>();
  return {
    name: 'assay:slim-contract',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      const path = id.slice(Math.max(0, id.indexOf(contractFolder)));
      const slim = slimModules.get(path);
      if (slim !== undefined) found.add(path);
      return slim ?? null;
    },
    transform: (code, id) => (id.includes(contractFolder) ? markSchemasPure(code) : null),
    buildEnd(error) {
      const missing = [...slimModules.keys()].filter((path) => !found.has(path));
      if (!error && missing.length > 0) this.error(`The build has no ${missing.join(', ')}.`);
    },
  };
}

/** Tells the bundler that constructing a schema has no side effects. It cannot see that for chains such as `z.string().check(…)`. */
export const markSchemasPure = (code: string): string =>
  code.replace(/(?<![\w.])z(?:\s*\.\w+)+\(/g, '/* @__PURE__ */ $&');

export function withoutSchemas(calls: Calls): Record<string, SentRoute> {
  return mapValues(calls, sentPartOf);
}

function sentPartOf(route: RouteContract): SentRoute {
  return Object.fromEntries(SENT_FIELDS.map((name) => [name, route[name]])) as unknown as SentRoute;
}

function mapValues<Value, Mapped>(
  record: Readonly<Record<string, Value>>,
  map: (value: Value) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}

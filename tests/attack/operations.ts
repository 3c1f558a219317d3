import type { RouteContract } from '@assay/contract';
import { allRoutes } from '@assay/contract/operator';
import * as z from 'zod';

/** The part of JSON Schema that samples need. */
export interface Shape {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shape[];
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** One call of the contract. */
export interface Operation {
  readonly name: string;
  readonly route: RouteContract;
  readonly params: Readonly<Record<string, Shape>>;
  readonly query: Readonly<Record<string, Shape>>;
  readonly body: Readonly<Record<string, Shape>>;
  readonly requiredFields: ReadonlySet<string>;
}

/** Every call of the contract. */
export const operations: readonly Operation[] = Object.entries(allRoutes).flatMap(([feature, calls]) =>
  Object.entries(calls).map(([call, route]) => operationOf(`${feature}.${call}`, route)),
);

function operationOf(name: string, route: RouteContract): Operation {
  const [params, query, body] = [shapeOf(route.params), shapeOf(route.query), shapeOf(route.body)];
  return {
    name,
    route,
    params: params.properties ?? {},
    query: query.properties ?? {},
    body: body.properties ?? {},
    requiredFields: new Set([...(query.required ?? []), ...(body.required ?? [])]),
  };
}

function shapeOf(schema: RouteContract['body']): Shape {
  if (!schema) return {};
  return z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as Shape;
}

/** The statuses and the schema of a success. */
export const successStatuses = ({ success }: RouteContract): number[] => [
  success.status,
  ...Object.keys(success.otherStatuses ?? {}).map(Number),
];

/** The parameters of a path, each with the path of its collection: `/lists/:id/emails` has `/lists`. */
export const parametersOf = (path: string): { readonly name: string; readonly collection: string }[] =>
  [...path.matchAll(/\/:(\w+)/g)].map((match) => ({
    name: match[1] ?? '',
    collection: path.slice(0, match.index),
  }));

import { API_BASE, type RouteContract, routes } from '@assay/contract';
import { type Field, fieldsOf, type Schema } from './fields.ts';

/** The part of an OpenAPI document that the reference shows. */
export interface OpenApiDocument {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

interface OpenApiOperation {
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses?: Readonly<
    Record<
      string,
      {
        readonly description?: string;
        readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
      }
    >
  >;
}

/** One call of the API, as the reference shows it. */
export interface Operation {
  /** The call of the client: `validations.startSingle`. */
  readonly name: OperationName;
  readonly id: string;
  readonly contract: RouteContract;
  readonly tag: string;
  readonly title: string;
  /** The rest of the summary, and a sentence more. */
  readonly text: string;
  /** With `{name}` for parameters. */
  readonly path: string;
  readonly params: readonly Field[];
  readonly query: readonly Field[];
  readonly headers: readonly Field[];
  readonly body: { readonly type: string; readonly fields: readonly Field[] } | null;
  readonly answer: readonly Field[];
  readonly statuses: readonly { readonly status: number; readonly meaning: string }[];
}

type Routes = typeof routes;
/** The name of a call, by feature: `validations.startSingle`. */
export type OperationName = {
  [Feature in keyof Routes]: `${Feature}.${string & keyof Routes[Feature]}`;
}[keyof Routes];

export const namedCalls = Object.entries(routes).flatMap(([feature, calls]) =>
  Object.entries<RouteContract>(calls).map(([call, contract]) => ({
    name: `${feature}.${call}` as OperationName,
    contract,
    path: contract.path.replaceAll(/:(\w+)/g, '{$1}'),
  })),
);

/** Every call of the document, in the order of the contract. */
export const operationsOf = (document: OpenApiDocument): Operation[] =>
  namedCalls.flatMap(({ name, contract, path }) => {
    const described = document.paths?.[`${API_BASE}${path}`]?.[contract.method.toLowerCase()];
    return described ? [operationOf({ name, contract, path, described, document })] : [];
  });

const pathsBehindFlag: ReadonlySet<string> = new Set(
  namedCalls.filter(({ contract }) => contract.isBehindFlag).map(({ path }) => `${API_BASE}${path}`),
);

/** The document for readers without the flag. */
export const withoutCallsBehindFlag = (document: OpenApiDocument): OpenApiDocument => ({
  ...document,
  paths: Object.fromEntries(
    Object.entries(document.paths ?? {}).filter(([path]) => !pathsBehindFlag.has(path)),
  ),
});

function operationOf({
  name,
  contract,
  path,
  described,
  document,
}: {
  name: OperationName;
  contract: RouteContract;
  path: string;
  described: OpenApiOperation;
  document: OpenApiDocument;
}): Operation {
  const schemas = document.components?.schemas ?? {};
  const parametersIn = (place: string): Field[] =>
    (described.parameters ?? [])
      .filter((parameter) => parameter.in === place)
      .flatMap(({ name: field, required = false, description, schema }) =>
        fieldsOf(
          {
            properties: { [field]: { ...(description && { description }), ...schema } },
            required: required ? [field] : [],
          },
          schemas,
        ),
      );
  const [type, body] = Object.entries(described.requestBody?.content ?? {})[0] ?? [];
  const answer = described.responses?.[contract.success.status]?.content?.['application/json']?.schema;
  const [title, text] = splitSummary(contract.summary);
  return {
    name,
    id: idOf(name),
    contract,
    tag: contract.tag,
    title,
    text: [text, described.description].filter(Boolean).join(' '),
    path,
    params: parametersIn('path'),
    query: parametersIn('query'),
    headers: parametersIn('header'),
    body: type && body ? { type, fields: fieldsOf(body.schema, schemas) } : null,
    answer: answer ? fieldsOf(answer, schemas) : [],
    statuses: [
      { status: contract.success.status, meaning: '' },
      ...Object.entries(contract.success.otherStatuses ?? {}).map(([status, meaning]) => ({
        status: Number(status),
        meaning,
      })),
    ],
  };
}

/** `start-single` for `validations.startSingle`. */
const idOf = (name: OperationName): string =>
  name.slice(name.indexOf('.') + 1).replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The part of a summary that makes a title, and the rest as a sentence. */
function splitSummary(summary: string): [title: string, text: string] {
  const place = summary.search(/[:;] /);
  if (place < 0) return [summary, ''];
  const rest = summary.slice(place + 2);
  return [summary.slice(0, place), `${rest[0]?.toUpperCase()}${rest.slice(1)}.`];
}

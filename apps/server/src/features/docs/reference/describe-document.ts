import { API_BASE, type RouteContract } from '@assay/contract';
import {
  CALL_FIELD_WORDS,
  COMMON_FIELD_WORDS,
  EVENT_WORDS,
  OPERATION_WORDS,
  PARAMETER_WORDS,
  SCHEMA_NAMES,
  SCHEMA_WORDS,
  type SchemaName,
  TAG_WORDS,
} from '@assay/contract/words';
import { type ErrorCode, errorTable } from '../../../platform/errors/index.ts';
import { exampleOf, fileIn } from './example-requests.ts';
import { namedCalls, type OpenApiDocument, type OperationName, operationsOf } from './operations.ts';

/** A part of an OpenAPI document while it is completed. */
interface Part {
  [name: string]: unknown;
}

interface Description {
  readonly document: OpenApiDocument;
  /** The places without a sentence: fields as `Wallet.balance`, parameters as `validations.startSingle wait`. */
  readonly missing: readonly string[];
  /** The keys of sentences that were used. */
  readonly used: ReadonlySet<string>;
}

/** Completes the document of the routes: ids, sentences, examples, errors, webhooks, and only schemas that are used. */
export function describeDocument(
  raw: OpenApiDocument,
  answers: Readonly<Record<string, unknown>>,
): Description {
  const document = structuredClone(raw) as OpenApiDocument & Part;
  const words = new Words();
  const examples = new Map(operationsOf(raw).map((operation) => [operation.name, exampleOf(operation)]));
  for (const { name, contract, path } of namedCalls) {
    const operation = document.paths?.[`${API_BASE}${path}`]?.[contract.method.toLowerCase()] as
      | Part
      | undefined;
    if (operation) describeOperation(operation, { name, contract, words, answers, examples });
  }
  document.webhooks = webhooksOf();
  partIn(document, 'components').responses = errorResponses();
  pruneSchemas(document);
  for (const [name, schema] of Object.entries(partIn(document.components as Part, 'schemas')))
    words.describeSchema(name as SchemaName, schema as Part);
  document.tags = tagsIn(document).map((name) => ({
    name,
    description: words.take(TAG_WORDS, name, `tag ${name}`),
  }));
  return { document, missing: words.missing, used: words.used };
}

interface OperationParts {
  readonly name: OperationName;
  readonly contract: RouteContract;
  readonly words: Words;
  readonly answers: Readonly<Record<string, unknown>>;
  readonly examples: ReadonlyMap<OperationName, ReturnType<typeof exampleOf>>;
}

function describeOperation(operation: Part, { name, contract, words, answers, examples }: OperationParts) {
  operation.operationId = operationIdOf(name);
  operation.description = words.take(OPERATION_WORDS, name, name);
  for (const parameter of (operation.parameters ?? []) as Part[])
    parameter.description = words.ofParameter(name, String(parameter.name));
  const example = examples.get(name);
  for (const content of contentsIn(operation.requestBody as Part | undefined)) {
    words.describeFields(name, content.schema as Part);
    requireOneOf(name, content.schema as Part);
    if (example?.body) content.example = withoutFiles(example.body);
  }
  const responses = partIn(operation, 'responses');
  for (const [status, response] of Object.entries(responses) as [string, Part][]) {
    if (!status.startsWith('2')) continue;
    if (response.description === 'Default Response') response.description = successWords(contract);
    for (const content of contentsIn(response)) {
      words.describeFields(name, content.schema as Part);
      const answer = answers[name];
      if (answer !== undefined && Number(status) === answeredStatus(name, contract)) content.example = answer;
    }
  }
  for (const code of refusalsOf(contract))
    responses[errorTable[code].status] = { $ref: `#/components/responses/${responseNameOf(code)}` };
  responses['4XX'] = { $ref: '#/components/responses/Refused' };
  responses['5XX'] = { $ref: '#/components/responses/Failed' };
}

/** `validationsStartSingle` for `validations.startSingle`: a name that every generator can use. */
const operationIdOf = (name: OperationName): string =>
  name.replaceAll(/\.(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The status of the recorded answer: that of the example, which waits for the verdict. */
export const answeredStatus = (name: OperationName, { success }: RouteContract): number =>
  name === 'validations.startSingle' ? 200 : success.status;

const successWords = ({ success: { status } }: RouteContract): string =>
  ({ 200: 'Done', 201: 'Created', 202: 'Accepted', 204: 'Done, without a body' })[status];

/** Calls whose schema has several ways to say the same, of which one is needed. */
const alternatives: { readonly [Name in OperationName]?: readonly string[] } = {
  'bounces.explain': ['reply', 'mail', 'event'],
  'validations.startSingle': ['email_address', 'email'],
  'outcomes.previewFile': ['list_raw', 'file'],
  'outcomes.importFile': ['list_raw', 'file'],
  'suppressions.importSuppressions': ['list_raw', 'file'],
  'validations.previewList': ['list_raw', 'file', 'upload_id'],
  'validations.createList': ['list_raw', 'file', 'upload_id'],
  'guessing.previewList': ['list_raw', 'file', 'upload_id'],
};

function requireOneOf(name: OperationName, schema: Part): void {
  const fields = alternatives[name];
  if (fields) schema.anyOf = fields.map((field) => ({ required: [field] }));
}

const withoutFiles = (body: object): object =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, fileIn(value) ? fileIn(value)?.contents : value]),
  );

/** The refusals that a call can have by what the contract says about it. Others are in 4XX. */
function refusalsOf(contract: RouteContract): ErrorCode[] {
  const { auth, params, query, body, takesIdempotencyKey } = contract;
  return [
    ...(params || query || body ? (['invalid_request'] as const) : []),
    ...(auth === 'public' ? [] : (['unauthorized'] as const)),
    ...(takesIdempotencyKey ? (['insufficient_credits'] as const) : []),
    ...(auth === 'user_or_key' ? (['missing_scope_verify'] as const) : []),
    ...(params ? (['not_found'] as const) : []),
    ...(takesIdempotencyKey ? (['idempotency_key_reused'] as const) : []),
    ...(auth === 'public' ? [] : (['too_many_requests'] as const)),
    'service_unavailable',
  ];
}

const responseNames = {
  invalid_request: ['Invalid', 'The request is wrong: change it as the message says.'],
  unauthorized: ['Unauthorized', 'The key or token is missing, wrong or expired.'],
  insufficient_credits: [
    'PaymentRequired',
    'The balance, or the monthly limit of the key, does not cover the price.',
  ],
  missing_scope_verify: ['Forbidden', 'The key may not make this call, or not from this network.'],
  not_found: ['NotFound', 'It does not exist, or no longer.'],
  idempotency_key_reused: [
    'Conflict',
    'It conflicts with the current state, or the Idempotency-Key was used before.',
  ],
  too_many_requests: ['TooManyRequests', 'Too many calls: wait for `retry-after` seconds.'],
  service_unavailable: ['Unavailable', 'A problem on our side: repeat it later.'],
} as const satisfies Partial<Record<ErrorCode, readonly [name: string, description: string]>>;

const responseNameOf = (code: ErrorCode): string => responseNames[code as keyof typeof responseNames][0];

function errorResponses(): Part {
  const content = (code: ErrorCode) => ({
    'application/json': {
      schema: { $ref: '#/components/schemas/ErrorAnswer' },
      example: {
        errors: [
          {
            code,
            message: errorTable[code].text,
            http_status: errorTable[code].status,
            trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
            meta: {},
          },
        ],
      },
    },
  });
  return {
    ...Object.fromEntries(
      Object.entries(responseNames).map(([code, [name, description]]) => [
        name,
        { description, content: content(code as ErrorCode) },
      ]),
    ),
    Refused: {
      description: 'The call was refused: see the codes at /docs/errors.',
      content: content('bad_request'),
    },
    Failed: { description: 'A problem on our side: repeat it later.', content: content('internal_error') },
  };
}

const eventSchemas: readonly SchemaName[] = [
  'SingleCheckCompletedEvent',
  'ListCompletedEvent',
  'ListFailedEvent',
  'BalanceLowEvent',
  'WebhookTestEvent',
];

/** The events that we send to a customer's URL. */
function webhooksOf(): Part {
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  });
  return Object.fromEntries(
    eventSchemas.map((schema) => {
      const type = eventTypeOf(schema);
      return [
        type,
        {
          post: {
            operationId: `receive${schema}`,
            tags: ['Webhooks'],
            summary: `The event ${type}`,
            description: EVENT_WORDS[type],
            security: [],
            parameters: [
              header('webhook-id', 'The id of the event, which stays the same when it is sent again.'),
              header('webhook-timestamp', 'When it was sent, in seconds since 1970.'),
              header('webhook-signature', 'Signatures of id, timestamp and body with your secret.'),
            ],
            requestBody: {
              required: true,
              content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
            },
            responses: {
              '2XX': { description: 'You have taken the event.' },
              '4XX': { description: 'You have not: it is tried again.' },
            },
          },
        },
      ];
    }),
  );
}

const eventTypeOf = (name: SchemaName): string => {
  const { def } = SCHEMA_NAMES[name] as unknown as {
    def: { shape: { type: { def: { values: readonly string[] } } } };
  };
  return def.shape.type.def.values[0] ?? '';
};

const refPrefix = '#/components/schemas/';

/**
 * Keeps the schemas that something refers to. A schema of requests is called `NameInput`; it becomes `Name` if no answer has
 * that name, or has the same schema by it.
 */
function pruneSchemas(document: Part): void {
  const components = partIn(document, 'components');
  const schemas = partIn(components, 'schemas') as Record<string, Part>;
  const used = namesIn([document.paths, document.webhooks, components.responses], schemas);
  const renamed = new Map(
    [...used].flatMap((name) => {
      const plain = name.replace(/Input$/, '');
      const isSame = JSON.stringify(schemas[name]) === JSON.stringify(schemas[plain]);
      return plain !== name && (!used.has(plain) || isSame) ? [[name, plain] as const] : [];
    }),
  );
  const kept = [...used].map((name) => [renamed.get(name) ?? name, schemas[name]] as const);
  components.schemas = Object.fromEntries(kept.toSorted(([left], [right]) => (left < right ? -1 : 1)));
  renameRefs(document, renamed);
}

function namesIn(place: unknown, schemas: Readonly<Record<string, Part>>, found = new Set<string>()) {
  if (Array.isArray(place)) for (const inner of place) namesIn(inner, schemas, found);
  else if (typeof place === 'object' && place !== null) {
    const { $ref } = place as Part;
    if (typeof $ref === 'string' && $ref.startsWith(refPrefix)) {
      const name = $ref.slice(refPrefix.length);
      if (!found.has(name)) {
        found.add(name);
        namesIn(schemas[name], schemas, found);
      }
    }
    for (const inner of Object.values(place)) namesIn(inner, schemas, found);
  }
  return found;
}

function renameRefs(place: unknown, renamed: ReadonlyMap<string, string>): void {
  if (typeof place !== 'object' || place === null) return;
  const part = place as Part;
  if (typeof part.$ref === 'string') {
    const name = renamed.get(part.$ref.slice(refPrefix.length));
    if (name) part.$ref = `${refPrefix}${name}`;
  }
  for (const inner of Object.values(part)) renameRefs(inner, renamed);
}

/** Finds sentences, and remembers which were used and which are missing. */
class Words {
  readonly used = new Set<string>();
  readonly #missing = new Set<string>();

  get missing(): string[] {
    return [...this.#missing];
  }

  take(words: Readonly<Record<string, string>>, key: string, place: string): string | undefined {
    const text = words[key];
    if (text === undefined) this.#missing.add(place);
    else this.used.add(place);
    return text;
  }

  ofParameter(call: OperationName, name: string): string | undefined {
    const own = `${call} ${name}`;
    const key = PARAMETER_WORDS[own] === undefined && PARAMETER_WORDS[name] !== undefined ? name : own;
    return this.take(PARAMETER_WORDS, key, key);
  }

  describeSchema(name: SchemaName, schema: Part): void {
    const words = SCHEMA_WORDS[name] ?? {};
    schema.description = this.take(words, '', name);
    this.#describe(schema, { place: name, words, path: '' });
  }

  /** Of a body or an answer that is not a named schema. */
  describeFields(call: OperationName, schema: Part): void {
    this.#describe(schema, { place: call, words: CALL_FIELD_WORDS[call] ?? {}, path: '' });
  }

  #describe(
    schema: Part,
    { place, words, path }: { place: string; words: Readonly<Record<string, string>>; path: string },
  ): void {
    for (const [name, property] of Object.entries(partIn(schema, 'properties')) as [string, Part][]) {
      const field = path === '' ? name : `${path}.${name}`;
      property.description = this.#ofField(place, words, field, name);
      this.#describe(property, { place, words, path: field });
    }
    if (schema.items) this.#describe(schema.items as Part, { place, words, path });
    for (const inner of [schema.anyOf, schema.oneOf, schema.allOf].flat()) {
      if (inner) this.#describe(inner as Part, { place, words, path });
    }
  }

  #ofField(place: string, words: Readonly<Record<string, string>>, field: string, name: string) {
    const isCommon = words[field] === undefined && COMMON_FIELD_WORDS[name] !== undefined;
    return isCommon
      ? this.take(COMMON_FIELD_WORDS, name, name)
      : this.take(words, field, `${place}.${field}`);
  }
}

const partIn = (part: Part, name: string): Part => (part[name] ?? {}) as Part;

const contentsIn = (part: Part | undefined): Part[] =>
  Object.values((part?.content ?? {}) as Record<string, Part>);

function tagsIn(document: OpenApiDocument): string[] {
  const operations = Object.values(document.paths ?? {}).flatMap((path) => Object.values(path));
  return [...new Set(operations.flatMap(({ tags = [] }) => tags))];
}

/** The part of JSON Schema that the contract's documents contain. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly description?: string;
}

/** A row of a table of fields. */
export interface Field {
  /** `reason.code`, and `results[].id` for fields of the entries of a list. */
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** Whether this field or another one is required. */
  readonly isAlternative: boolean;
  /** What it means, in one sentence; backquotes mark code. */
  readonly description: string;
  /** Allowed values, if they are few. */
  readonly values: readonly string[];
  readonly notes: readonly string[];
}

type Schemas = Readonly<Record<string, Schema>>;

const depthMax = 4;

/** The fields of an object, with the fields of objects inside it. */
export function fieldsOf(schema: Schema, schemas: Schemas, prefix = '', depth = 0): Field[] {
  const { properties = {}, required = [], anyOf = [] } = resolve(schema, schemas);
  return Object.entries(properties).flatMap(([name, property]) => {
    const found = resolve(property, schemas);
    const field = {
      name: `${prefix}${name}`,
      type: typeOf(found, schemas),
      isRequired: required.includes(name),
      isAlternative: anyOf.some((kind) => kind.required?.includes(name)),
      // Beside a reference, the sentence is about this use of the schema.
      description: property.description ?? found.description ?? '',
      values: valuesOf(found, schemas),
      notes: notesOf(found),
    };
    const inner = depth < depthMax ? innerFields(found, schemas, `${prefix}${name}`, depth + 1) : [];
    return [field, ...inner];
  });
}

function innerFields(schema: Schema, schemas: Schemas, name: string, depth: number): Field[] {
  const kind = kindsOf(schema, schemas).find(({ properties, items }) => properties || items);
  if (kind?.items) return innerFields(resolve(kind.items, schemas), schemas, `${name}[]`, depth);
  return kind?.properties ? fieldsOf(kind, schemas, `${name}.`, depth) : [];
}

const refPrefix = '#/components/schemas/';
const resolve = (schema: Schema, schemas: Schemas): Schema =>
  schema.$ref ? (schemas[schema.$ref.replace(refPrefix, '')] ?? {}) : schema;

/** The alternatives of a schema, without null. */
const kindsOf = (schema: Schema, schemas: Schemas): Schema[] =>
  (schema.anyOf ?? schema.oneOf ?? [schema])
    .map((kind) => resolve(kind, schemas))
    .filter(({ type }) => type !== 'null');

const formats: Readonly<Record<string, string>> = {
  'date-time': 'date and time',
  binary: 'file',
  uri: 'URL',
  uuid: 'UUID',
};

function typeOf(schema: Schema, schemas: Schemas): string {
  const isNullable =
    (schema.anyOf ?? schema.oneOf ?? []).some(({ type }) => type === 'null') ||
    (Array.isArray(schema.type) && schema.type.includes('null'));
  const types = kindsOf(schema, schemas).map((kind) => plainType(kind, schemas));
  return [...new Set(types), ...(isNullable ? ['null'] : [])].join(' or ');
}

function plainType(schema: Schema, schemas: Schemas): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const types = [schema.type ?? 'any'].flat();
  const type = types.find((one) => one !== 'null') ?? 'null';
  if (type === 'array') {
    const inner = schema.items ? typeOf(resolve(schema.items, schemas), schemas) : 'any';
    return `list of ${inner.includes(' or ') ? `(${inner})` : inner}`;
  }
  if (type === 'string' && schema.format) return formats[schema.format] ?? 'string';
  return type;
}

function valuesOf(schema: Schema, schemas: Schemas): string[] {
  const inner = schema.items ? valuesOf(resolve(schema.items, schemas), schemas) : [];
  const own = kindsOf(schema, schemas).flatMap((kind) => kind.enum ?? []);
  return [...own.map(String), ...inner];
}

function notesOf(schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, maxItems } = schema;
  const notes = [
    rangeOf(minimum, maximum, ''),
    rangeOf(minLength, maxLength, ' characters'),
    maxItems === undefined ? undefined : `at most ${number(maxItems)} entries`,
    schema.default === undefined ? undefined : `default ${JSON.stringify(schema.default)}`,
  ];
  return notes.filter((note) => note !== undefined);
}

function rangeOf(from: number | undefined, to: number | undefined, unit: string): string | undefined {
  const isBounded = to !== undefined && to < Number.MAX_SAFE_INTEGER;
  const isRaised = from !== undefined && from > 0;
  if (isBounded && (isRaised || (from === 0 && unit === '')))
    return `${number(from)} to ${number(to)}${unit}`;
  if (isBounded) return `at most ${number(to)}${unit}`;
  return isRaised ? `at least ${number(from)}${unit}` : undefined;
}

const number = (value: number): string => value.toLocaleString('en-US');

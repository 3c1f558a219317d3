import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const resources = join(dirname(fileURLToPath(import.meta.resolve('stripe'))), 'resources');

interface Field {
  type: string;
  isOptional: boolean;
}

/** The declarations of one of the SDK's type files: interfaces and aliases by dotted name, and where names come from. */
interface Declarations {
  interfaces: Map<string, Map<string, Field>>;
  aliases: Map<string, string>;
  imports: Map<string, { file: string; name: string }>;
}

const loaded = new Map<string, Declarations>();

/**
 * What is wrong with a value that should have one of the SDK's types: fields that are missing, unknown or of another
 * type, each with its place. The SDK's own declarations are read as text, since types are gone when tests run.
 */
export function shapeProblems(file: string, name: string, value: unknown): string[] {
  return check(value, name, { file: join(resources, file), within: [] }, name);
}

interface Scope {
  file: string;
  /** The names of the namespaces around, outermost first. */
  within: string[];
}

function check(value: unknown, type: string, scope: Scope, place: string): string[] {
  const alternatives = splitUnion(type);
  const results = alternatives.map((alternative) => checkOne(value, alternative, scope, place));
  if (results.some((problems) => problems.length === 0)) return [];
  // The alternative that comes closest explains the most; for an object that is not one of the plain types.
  const isPlain = (alternative: string) =>
    /^('|null$|void$|string$|number$|boolean$|true$|false$)/.test(alternative);
  const telling = results.filter(
    (_, index) => typeof value !== 'object' || !isPlain(alternatives[index] ?? ''),
  );
  return (telling.length > 0 ? telling : results).sort((a, b) => a.length - b.length)[0] ?? [];
}

function checkOne(value: unknown, type: string, scope: Scope, place: string): string[] {
  const wrong = [`${place}: ${JSON.stringify(value)?.slice(0, 80)} is not ${type}`];
  if (type === 'null') return value === null ? [] : wrong;
  if (type === 'void' || type === 'undefined') return value === undefined ? [] : wrong;
  if (type === 'string' || type === 'OtherString') return typeof value === 'string' ? [] : wrong;
  if (type === 'number') return typeof value === 'number' ? [] : wrong;
  if (type === 'boolean') return typeof value === 'boolean' ? [] : wrong;
  if (type === 'true' || type === 'false') return value === (type === 'true') ? [] : wrong;
  if (type === 'Decimal') return isDecimal(value) ? [] : wrong;
  if (type.startsWith("'")) return value === type.slice(1, -1) ? [] : wrong;
  const list = /^(Array|ApiList)<(.*)>$/.exec(type);
  if (list) return checkList(value, list[1] === 'Array', list[2] ?? '', scope, place) ?? wrong;
  if (type === 'Metadata') return checkRecord(value) ? [] : wrong;
  if (type.startsWith('{')) return typeof value === 'object' && value !== null ? [] : wrong;
  return checkNamed(value, type, scope, place);
}

/** The SDK turns decimals into objects of its own, though not inside what was expanded: there they stay text. */
const isDecimal = (value: unknown): boolean =>
  typeof value === 'string'
    ? /^\d+(\.\d+)?$/.test(value)
    : typeof value === 'object' && value !== null && 'toNumber' in value;

function checkList(
  value: unknown,
  isArray: boolean,
  item: string,
  scope: Scope,
  place: string,
): string[] | undefined {
  const data = isArray ? value : (value as { object?: string; data?: unknown } | null)?.data;
  if (!Array.isArray(data)) return undefined;
  if (!isArray) {
    const list = value as Record<string, unknown>;
    const isList =
      list.object === 'list' && typeof list.has_more === 'boolean' && typeof list.url === 'string';
    if (!isList) return undefined;
  }
  return data.flatMap((element, index) => check(element, item, scope, `${place}[${index}]`));
}

const checkRecord = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((entry) => typeof entry === 'string');

function checkNamed(value: unknown, name: string, scope: Scope, place: string): string[] {
  const found = resolve(name, scope);
  // Names of other modules' namespaces (Billing.X, TestHelpers.X) belong to parts that we never answer.
  if (found === undefined) return value === undefined ? [`${place}: missing`] : [];
  const { declarations, path, file } = found;
  const alias = declarations.aliases.get(path);
  const within = path.split('.').slice(0, -1);
  if (alias !== undefined) return check(value, alias, { file, within }, place);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [`${place}: ${JSON.stringify(value)} is not ${path}`];
  }

  const fields = declarations.interfaces.get(path) ?? new Map<string, Field>();
  const given = value as Record<string, unknown>;
  // An interface without fields stands for "some object", such as what an event is about.
  const problems = Object.keys(given)
    .filter((field) => fields.size > 0 && !fields.has(field))
    .map((field) => `${place}.${field}: not a field of ${path}`);
  for (const [field, { type, isOptional }] of fields) {
    if (given[field] === undefined) {
      if (!isOptional) problems.push(`${place}.${field}: missing`);
    } else
      problems.push(...check(given[field], type, { file, within: path.split('.') }, `${place}.${field}`));
  }
  return problems;
}

/** Names are looked for in the namespaces around, innermost first, then in the file, then where it imports them from. */
function resolve(
  name: string,
  scope: Scope,
): { declarations: Declarations; path: string; file: string } | undefined {
  const declarations = load(scope.file);
  for (let depth = scope.within.length; depth >= 0; depth -= 1) {
    const path = [...scope.within.slice(0, depth), name].join('.');
    if (declarations.interfaces.has(path) || declarations.aliases.has(path)) {
      return { declarations, path, file: scope.file };
    }
  }
  const source = declarations.imports.get(name);
  return source && resolve(source.name, { file: source.file, within: [] });
}

function load(file: string): Declarations {
  let declarations = loaded.get(file);
  if (declarations === undefined) {
    declarations = parse(file, readFileSync(file, 'utf8'));
    loaded.set(file, declarations);
  }
  return declarations;
}

function parse(file: string, source: string): Declarations {
  const declarations: Declarations = { interfaces: new Map(), aliases: new Map(), imports: new Map() };
  const open: { name: string; fields: Map<string, Field> | null }[] = [];
  const pathOf = (name: string) => [...open.map((block) => block.name).filter(Boolean), name].join('.');

  for (const raw of source.replace(/\/\*[\s\S]*?\*\//g, '').split('\n')) {
    const line = raw.trim();
    const block = /^(?:export )?(?:declare )?(namespace|interface|class) (\w+).*\{$/.exec(line);
    const field = /^(\w+)(\?)?: (.*?)(;| ?\{)$/.exec(line);
    const alias = /^(?:export )?type (\w+) = (.*);$/.exec(line);
    const imported = /^import \{(.*)\} from '(\..*)\.js';$/.exec(line);
    if (imported) readImports(declarations, file, imported[1] ?? '', imported[2] ?? '');
    else if (alias) declarations.aliases.set(pathOf(alias[1] ?? ''), alias[2] ?? '');
    else if (block) {
      const fields = block[1] === 'interface' ? new Map<string, Field>() : null;
      if (fields) declarations.interfaces.set(pathOf(block[2] ?? ''), fields);
      open.push({ name: block[2] ?? '', fields });
    } else if (field && open.at(-1)?.fields) {
      const isInline = line.endsWith('{');
      const type = isInline ? '{}' : (field[3] ?? '');
      open.at(-1)?.fields?.set(field[1] ?? '', { type, isOptional: field[2] === '?' });
      if (isInline) open.push({ name: '', fields: null });
    } else if (line.startsWith('}')) open.pop();
    else if (line.endsWith('{')) open.push({ name: '', fields: null });
  }
  return declarations;
}

function readImports(declarations: Declarations, file: string, names: string, from: string): void {
  for (const part of names.split(',')) {
    const [name = '', local = name] = part.trim().split(' as ');
    declarations.imports.set(local, { file: join(dirname(file), `${from}.d.ts`), name });
  }
}

function splitUnion(type: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let current = '';
  for (const character of type) {
    if (character === '<' || character === '{') depth += 1;
    if (character === '>' || character === '}') depth -= 1;
    if (character === '|' && depth === 0) {
      parts.push(current.trim());
      current = '';
    } else current += character;
  }
  return [...parts, current.trim()].filter(Boolean);
}

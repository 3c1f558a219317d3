import { type Panel, type ProgramLanguage, renderCode } from '../code-examples.ts';
import { type ExampleRequest, exampleOf, fileIn } from './example-requests.ts';
import type { Operation } from './operations.ts';

/** The example of a call as programs, in the order of their tabs. */
export function programsOf(operation: Operation, api: string): { language: ProgramLanguage; code: string }[] {
  const request = exampleOf(operation);
  return [
    { language: 'sh', code: curlOf(operation, request, api) },
    { language: 'ts', code: typescriptOf(operation, request, api) },
    // Python's own library has no forms with files.
    ...(operation.contract.multipart
      ? []
      : [{ language: 'python' as const, code: pythonOf(operation, request, api) }]),
  ];
}

export const panelsOf = (operation: Operation, api: string): Panel[] =>
  programsOf(operation, api).map(({ language, code }) => ({ language, html: renderCode(code, language) }));

const takesKey = ({ contract }: Operation): boolean => contract.auth === 'user_or_key';

function urlOf({ path }: Operation, { params, query }: ExampleRequest, api: string): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, String(one)]),
    ),
  ).toString();
  return `${api}${filled}${search && `?${search}`}`;
}

function curlOf(operation: Operation, request: ExampleRequest, api: string): string {
  const { method, multipart, isForm } = operation.contract;
  const { body } = request;
  const impliedMethod = body ? 'POST' : 'GET';
  const lines = [
    `curl -s ${method === impliedMethod ? '' : `-X ${method} `}"${urlOf(operation, request, api)}"`,
    `-H "${takesKey(operation) ? 'x-api-key: $ASSAY_API_KEY' : 'authorization: Bearer $ASSAY_TOKEN'}"`,
    ...(body ? bodyLines(body, multipart ? 'multipart' : isForm ? 'form' : 'json') : []),
  ];
  return lines.join(' \\\n  ');
}

function bodyLines(body: NonNullable<ExampleRequest['body']>, kind: 'multipart' | 'form' | 'json'): string[] {
  if (kind === 'json')
    return [`-H "content-type: application/json"`, `-d ${quoteForShell(JSON.stringify(body))}`];
  const option = kind === 'multipart' ? '-F' : '--data-urlencode';
  return Object.entries(body).map(([name, value]) => {
    const file = fileIn(value);
    return `${option} ${quoteForShell(`${name}=${file ? `@${file.name}` : value}`)}`;
  });
}

/** Bare if the shell would not change it. */
const quoteForShell = (text: string): string =>
  /^[\w@=.,:/-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

function typescriptOf(operation: Operation, { params, query, body }: ExampleRequest, api: string): string {
  const credentials = takesKey(operation)
    ? "apiKey: process.env.ASSAY_API_KEY ?? ''"
    : "getToken: () => process.env.ASSAY_TOKEN ?? ''";
  const parts = { params, query, ...(body && { body }) };
  const input = Object.entries(parts).filter(([, values]) => Object.keys(values).length > 0);
  const call = `assay.${operation.name}(${input.length > 0 ? writeTypescript(Object.fromEntries(input)) : ''})`;
  const isEmpty = operation.contract.success.status === 204;
  return [
    "import { createClient } from '@assay/client';",
    '',
    `const assay = createClient({ baseUrl: '${api}', ${credentials} });`,
    '',
    ...(isEmpty ? [`await ${call};`] : [`const answer = await ${call};`, 'console.log(answer);']),
  ].join('\n');
}

const lineLengthMax = 76;

function writeTypescript(value: unknown, indent = ''): string {
  const file = fileIn(value);
  if (file) return `new File([${quoteForTypescript(file.contents)}], '${file.name}')`;
  if (typeof value === 'string') return quoteForTypescript(value);
  if (typeof value !== 'object' || value === null) return String(value);
  return writeNested(value, indent, {
    open: Array.isArray(value) ? '[' : '{ ',
    close: Array.isArray(value) ? ']' : ' }',
    entryOf: (name, inner, deeper) =>
      Array.isArray(value) ? writeTypescript(inner, deeper) : `${name}: ${writeTypescript(inner, deeper)}`,
  });
}

const quoteForTypescript = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;

/** On one line if that is short, else with a line for each entry. */
function writeNested(
  value: object,
  indent: string,
  style: {
    open: string;
    close: string;
    entryOf: (name: string, inner: unknown, indent: string) => string;
  },
): string {
  const deeper = `${indent}  `;
  const entries = Object.entries(value).map(([name, inner]) => style.entryOf(name, inner, deeper));
  const line = `${style.open}${entries.join(', ')}${style.close}`;
  if (line.length + indent.length <= lineLengthMax && !line.includes('\n')) return line;
  return `${style.open.trim()}\n${entries.map((entry) => `${deeper}${entry},\n`).join('')}${indent}${style.close.trim()}`;
}

function pythonOf(operation: Operation, request: ExampleRequest, api: string): string {
  const { method, isForm, success } = operation.contract;
  const { body } = request;
  const credentials = takesKey(operation)
    ? '"x-api-key": os.environ["ASSAY_API_KEY"]'
    : '"authorization": "Bearer " + os.environ["ASSAY_TOKEN"]';
  const isJson = body !== null && !isForm;
  const data =
    body && (isForm ? `urlencode(${writePython(body, '    ')})` : `json.dumps(${writePython(body, '    ')})`);
  const answers = success.status !== 204;
  return [
    ...(isJson || answers ? ['import json'] : []),
    'import os',
    ...(isForm ? ['from urllib.parse import urlencode'] : []),
    'from urllib.request import Request, urlopen',
    '',
    'request = Request(',
    `    "${urlOf(operation, request, api)}",`,
    `    method="${method}",`,
    `    headers={${credentials}${isJson ? ', "content-type": "application/json"' : ''}},`,
    ...(data ? [`    data=${data}.encode(),`] : []),
    ')',
    'with urlopen(request) as answer:',
    answers ? '    print(json.load(answer))' : '    print(answer.status)',
  ].join('\n');
}

const pythonConstants: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

function writePython(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null) {
    const written = JSON.stringify(value);
    return pythonConstants[written] ?? written;
  }
  return writeNested(value, indent, {
    open: Array.isArray(value) ? '[' : '{',
    close: Array.isArray(value) ? ']' : '}',
    entryOf: (name, inner, deeper) =>
      Array.isArray(value) ? writePython(inner, deeper) : `"${name}": ${writePython(inner, deeper)}`,
  });
}

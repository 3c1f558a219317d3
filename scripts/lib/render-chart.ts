// Renders deploy/helm where helm is not installed. It knows the part of Go's templates that the chart uses, and throws at anything else.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments, stringify } from 'yaml';

type Values = Readonly<Record<string, unknown>>;
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: unknown;
}

/** The objects that `helm install NAME` would make with these values on top of the chart's own. */
export function renderChart(chart: string, release: string, given: Values): KubernetesObject[] {
  const read = (path: string) => readFileSync(join(chart, path), 'utf8');
  const { name, version, appVersion } = parse(read('Chart.yaml'));
  const dot = {
    Values: merged(parse(read('values.yaml')), given),
    Release: { Name: release, Service: 'Helm' },
    Chart: { Name: name, Version: version, AppVersion: appVersion },
  };
  const templates = new Map<string, Node[]>();
  parseTemplate(read('templates/_helpers.tpl'), templates);
  return globSync('templates/*.yaml', { cwd: chart })
    .sort()
    .map((path) => render(parseTemplate(read(path), templates), { dot, variables: {}, templates }))
    .flatMap((text) => parseAllDocuments(text).map((document) => document.toJS()))
    .filter((found) => found !== null);
}

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const merged = (base: Values, over: Values): Values => ({
  ...base,
  ...Object.fromEntries(
    Object.entries(over).map(([key, value]) => {
      const below = base[key];
      return [key, isObject(below) && isObject(value) ? merged(below, value) : value];
    }),
  ),
});

type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly pipeline: string }
  | { readonly kind: 'if'; readonly pipeline: string; readonly body: Node[] }
  | {
      readonly kind: 'range';
      readonly key: string;
      readonly value: string;
      readonly pipeline: string;
      readonly body: Node[];
    };

interface Scope {
  readonly dot: Values;
  readonly variables: Values;
  readonly templates: ReadonlyMap<string, Node[]>;
}

/** Adds what it defines to the templates. */
function parseTemplate(source: string, templates: Map<string, Node[]>): Node[] {
  const pieces = source
    // A hyphen takes the white space before or after it away.
    .replace(/\s*\{\{-/g, '{{')
    .replace(/-\}\}\s*/g, '}}')
    .split(/(\{\{.*?\}\})/);
  const top: Node[] = [];
  const open: Node[][] = [top];
  for (const piece of pieces) {
    const body = open.at(-1);
    if (!body) throw new Error('The template has an end too many.');
    const [, action] = /^\{\{\s*(.*?)\s*\}\}$/.exec(piece) ?? [];
    if (action === undefined) {
      body.push({ kind: 'text', text: piece });
      continue;
    }
    const [, word = '', rest = ''] =
      /^(if|range|define|end|else|with|template|block)?\b\s*(.*)$/.exec(action) ?? [];
    const inner: Node[] = [];
    if (word === 'end') open.pop();
    else if (word === 'if') body.push({ kind: 'if', pipeline: rest, body: inner });
    else if (word === 'define') templates.set(JSON.parse(rest), inner);
    else if (word === 'range') {
      const [, key, value, pipeline] = /^\$(\w+), \$(\w+) := (.+)$/.exec(rest) ?? [];
      if (!key || !value || !pipeline) throw new Error(`The renderer does not know: ${action}`);
      body.push({ kind: 'range', key, value, pipeline, body: inner });
    } else if (word === '') body.push({ kind: 'value', pipeline: action });
    else throw new Error(`The renderer does not know: ${action}`);
    if (['if', 'define', 'range'].includes(word)) open.push(inner);
  }
  if (open.length !== 1) throw new Error('The template lacks an end.');
  return top;
}

function render(nodes: readonly Node[], scope: Scope): string {
  return nodes
    .map((node) => {
      if (node.kind === 'text') return node.text;
      const found = evaluate(node.pipeline, scope);
      if (node.kind === 'value') return String(found ?? '');
      if (node.kind === 'if') return isTrue(found) ? render(node.body, scope) : '';
      const entries = Object.entries(found as object);
      // Go walks through maps in the order of their keys.
      if (!Array.isArray(found)) entries.sort(([a], [b]) => (a < b ? -1 : 1));
      return entries
        .map(([key, value]) => {
          const variables = { ...scope.variables, [node.key]: key, [node.value]: value };
          return render(node.body, { ...scope, variables });
        })
        .join('');
    })
    .join('');
}

/** Go takes empty texts, lists and maps for false. */
const isTrue = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);

function evaluate(pipeline: string, scope: Scope): unknown {
  const [first = '', ...functions] = pipeline.split(' | ');
  return functions.reduce(
    (value, call) => {
      const [name = '', ...args] = call.split(' ');
      return apply(name, [...args.map((word) => termOf(word, scope)), value], scope);
    },
    evaluateCall(first, scope),
  );
}

function evaluateCall(call: string, scope: Scope): unknown {
  const [name = '', ...args] = call.split(' ');
  return args.length === 0
    ? termOf(name, scope)
    : apply(
        name,
        args.map((word) => termOf(word, scope)),
        scope,
      );
}

function termOf(word: string, { dot, variables }: Scope): unknown {
  if (word === '.') return dot;
  if (/^(".*"|\d+)$/.test(word)) return JSON.parse(word);
  if (word.startsWith('$')) return variables[word.slice(1)];
  if (!word.startsWith('.')) throw new Error(`The renderer does not know: ${word}`);
  return word
    .slice(1)
    .split('.')
    .reduce<unknown>((value, key) => {
      if (!isObject(value) || !(key in value)) throw new Error(`${word} is not in the values.`);
      return value[key];
    }, dot);
}

function apply(name: string, args: readonly unknown[], scope: Scope): unknown {
  const [first, second] = args;
  switch (name) {
    case 'include': {
      const body = scope.templates.get(String(first));
      if (!body) throw new Error(`There is no template ${first}.`);
      return render(body, { ...scope, dot: second as Values });
    }
    case 'quote':
      return JSON.stringify(String(first));
    case 'default':
      return isTrue(second) ? second : first;
    case 'toYaml':
      return stringify(first).trimEnd();
    case 'nindent':
      return `\n${String(second)}`.replaceAll('\n', `\n${' '.repeat(Number(first))}`);
    default:
      throw new Error(`The renderer does not know: ${name}`);
  }
}

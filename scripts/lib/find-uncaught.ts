import { readFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';

/** What ends a process when it fails and no one listens. By module, then by name. */
const creators: Readonly<Record<string, Readonly<Record<string, Creator>>>> = {
  'node:net': { createServer: 'again', connect: 'once', createConnection: 'once' },
  'node:tls': { createServer: 'again', connect: 'once' },
  'node:http': { createServer: 'again', request: 'once', get: 'once' },
  'node:https': { createServer: 'again', request: 'once', get: 'once' },
  'node:dgram': { createSocket: 'again' },
  'node:child_process': { spawn: 'once', fork: 'once' },
  'node:worker_threads': { Worker: 'again' },
  'node:fs': { watch: 'again', createReadStream: 'once', createWriteStream: 'once' },
  pg: { 'default.Client': 'again', 'default.Pool': 'again' },
  'pg-boss': { PgBoss: 'again' },
  ws: { WebSocket: 'again', WebSocketServer: 'again' },
};

/** Whether it can report an error once in its life, or again and again: then `once` is not enough. */
type Creator = 'once' | 'again';

/** They call back later, and nothing awaits what an async function returns to them. */
const callers = new Set([
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'nextTick',
  'schedule',
  'after',
  'on',
  'once',
  'addListener',
  'prependListener',
  'createServer',
  'Promise',
]);

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** Places in a file where an error would have no listener, each with what to do about it. */
export function findUncaught(file: string, text: string = readFileSync(file, 'utf8')): string[] {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const known = creatorsIn(program as unknown as Node);
  const complaints: string[] = [];
  const complain = ({ start }: Node, what: string) =>
    complaints.push(`${file}:${text.slice(0, start).split('\n').length}: ${what}`);

  const calls: { node: Node; ancestors: readonly Node[] }[] = [];
  walk(program as unknown as Node, [], (node, ancestors) => {
    if (node.type === 'CallExpression' || node.type === 'NewExpression') calls.push({ node, ancestors });
  });
  // Functions that return what they create are creators too, also for calls above them.
  for (const { node, ancestors } of calls) {
    const creator = known.get(nameOf(node.callee as Node, text));
    if (creator) hasListener({ node, ancestors, text, creator, known });
  }
  for (const { node, ancestors } of calls) {
    const name = nameOf(node.callee as Node, text);
    const creator = known.get(name);
    if (creator && !hasListener({ node, ancestors, text, creator, known })) {
      complain(node, `${name} needs a listener of 'error' that stays (.on), set in this file`);
    }
    const called = name.split('.').at(-1) ?? '';
    if (callers.has(called) && (node.arguments as Node[]).some(isAsyncFunction)) {
      complain(node, `${called} does not await an async function; catch its errors inside of a plain one`);
    }
    if (called === 'pipe' && name !== 'z.pipe') {
      complain(node, 'pipe does not pass on errors of its source; use pipeline');
    }
  }
  return complaints;
}

/** The names under which this file imports the creators. */
function creatorsIn(program: Node): Map<string, Creator> {
  const known = new Map<string, Creator>();
  for (const statement of program.body as Node[]) {
    if (statement.type !== 'ImportDeclaration') continue;
    const made = creators[(statement.source as unknown as { value: string }).value];
    if (!made) continue;
    for (const specifier of statement.specifiers as Node[]) {
      const local = (specifier.local as { name: string } & Node).name;
      const imported =
        specifier.type === 'ImportSpecifier'
          ? (specifier.imported as { name: string } & Node).name
          : 'default';
      for (const [name, creator] of Object.entries(made)) {
        if (name === imported) known.set(local, creator);
        else if (name.startsWith(`${imported}.`)) known.set(local + name.slice(imported.length), creator);
      }
    }
  }
  return known;
}

interface Creation {
  readonly node: Node;
  readonly ancestors: readonly Node[];
  readonly text: string;
  readonly creator: Creator;
  readonly known: Map<string, Creator>;
}

/** Follows what was created to its name, or to the function that returns it, whose callers then create it. */
function hasListener({ node, ancestors, text, creator, known }: Creation): boolean {
  let child = node;
  for (let index = ancestors.length - 1; index >= 0; index -= 1) {
    const parent = ancestors[index] as Node;
    if (parent.type === 'MemberExpression' && parent.object === child) {
      const call = ancestors[index - 1];
      if (call && listensToErrors(call, creator)) return true;
      if (call?.type !== 'CallExpression') return false;
      index -= 1;
      child = call;
      continue;
    }
    if (consumesAtOnce(parent, child, text)) return true;
    if (parent.type === 'VariableDeclarator')
      return isListened(textOf(parent.id as Node, text), text, creator);
    if (parent.type === 'AssignmentExpression')
      return isListened(textOf(parent.left as Node, text), text, creator);
    const isPassedOn = ['ConditionalExpression', 'TSAsExpression', 'AwaitExpression', 'ReturnStatement'];
    if (isPassedOn.includes(parent.type) || parent.type === 'BlockStatement') child = parent;
    else if (parent.type === 'FunctionDeclaration') {
      known.set(textOf(parent.id as Node, text), creator);
      return !text.includes(`export function ${textOf(parent.id as Node, text)}`);
    } else return false;
  }
  return false;
}

/** Whatever reads a stream from its first moment on also gets its error. */
const consumesAtOnce = (parent: Node, child: Node, text: string): boolean =>
  (parent.type === 'YieldExpression' && parent.delegate === true) ||
  (parent.type === 'ForOfStatement' && parent.await === true && parent.right === child) ||
  (parent.type === 'CallExpression' && nameOf(parent.callee as Node, text) === 'pipeline');

const isListened = (name: string, text: string, creator: Creator): boolean =>
  text.includes(`${name}.on('error'`) || (creator === 'once' && text.includes(`${name}.once('error'`));

function listensToErrors(call: Node, creator: Creator): boolean {
  if (call.type !== 'CallExpression') return false;
  const method = ((call.callee as Node).property as { name?: string } | undefined)?.name;
  const [event] = call.arguments as { value?: unknown }[];
  return event?.value === 'error' && (method === 'on' || (method === 'once' && creator === 'once'));
}

const isAsyncFunction = (node: Node): boolean =>
  (node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression') && node.async === true;

const textOf = ({ start, end }: Node, text: string): string => text.slice(start, end);
const nameOf = (callee: Node, text: string): string =>
  callee.type === 'Identifier' || callee.type === 'MemberExpression' ? textOf(callee, text) : '';

function walk(
  node: Node,
  ancestors: readonly Node[],
  visit: (node: Node, ancestors: readonly Node[]) => void,
) {
  visit(node, ancestors);
  const inside = [...ancestors, node];
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child?.type === 'string' && typeof child.start === 'number') walk(child, inside, visit);
    }
  }
}

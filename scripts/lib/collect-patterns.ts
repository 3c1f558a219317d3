import { readFileSync } from 'node:fs';
import { type Expression, type Program, parseSync, type TemplateLiteral, Visitor } from 'oxc-parser';

/** A regular expression of the source, and its place. */
export interface FoundPattern {
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

/** One that is put together from parts which only running the code would tell. */
export interface HiddenPattern {
  readonly place: string;
}

interface ParsedFile {
  readonly file: string;
  readonly text: string;
  readonly program: Program;
}

type Constants = ReadonlyMap<string, Expression>;

/** Every regular expression of these files: literals, and texts passed to `RegExp`. */
export function collectPatterns(files: readonly string[]): {
  found: FoundPattern[];
  hidden: HiddenPattern[];
} {
  const parsed = files.map(parseFile);
  const shared = new Map(parsed.flatMap((file) => [...constantsOf(file)]));
  const found: FoundPattern[] = [];
  const hidden: HiddenPattern[] = [];
  for (const part of parsed) {
    const constants = new Map([...shared, ...constantsOf(part)]);
    const placeOf = (offset: number) => `${part.file}:${part.text.slice(0, offset).split('\n').length}`;
    const addMade = ({ callee, arguments: [made, flags], start }: Made) => {
      if (callee.type !== 'Identifier' || callee.name !== 'RegExp') return;
      if (flags === undefined && isUnion(made as Expression | undefined, part.text)) return;
      const source = textOf(made as Expression | undefined, constants);
      if (source === null) hidden.push({ place: placeOf(start) });
      else found.push({ place: placeOf(start), source, flags: textOf(flags as Expression, constants) ?? '' });
    };
    new Visitor({
      Literal: (node) => {
        if (!('regex' in node)) return;
        found.push({ place: placeOf(node.start), source: node.regex.pattern, flags: node.regex.flags });
      },
      NewExpression: addMade,
      CallExpression: addMade,
    }).visit(part.program);
  }
  return { found, hidden };
}

interface Made {
  readonly callee: Expression;
  readonly arguments: readonly unknown[];
  readonly start: number;
}

function parseFile(file: string): ParsedFile {
  const text = readFileSync(file, 'utf8');
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  return { file, text, program };
}

/** The constants of a module by name, exported ones too: patterns are put together from them. */
function constantsOf({ program }: ParsedFile): Constants {
  const constants = new Map<string, Expression>();
  for (const statement of program.body) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declared?.type !== 'VariableDeclaration' || declared.kind !== 'const') continue;
    for (const { id, init } of declared.declarations) {
      if (id.type === 'Identifier' && init) constants.set(id.name, init);
    }
  }
  return constants;
}

/** Tries expressions one after the other. Each is rated where it is written, and the sum of linear times is linear. */
const isUnion = (made: Expression | undefined, text: string): boolean =>
  made !== undefined &&
  /^\w+\.map\(\(\{ source \}\) => source\)\.join\('\|'\)$/.test(text.slice(made.start, made.end));

/** The value of an expression as text, where it is made of literals and constants. */
function textOf(node: Expression | undefined, constants: Constants): string | null {
  switch (node?.type) {
    case 'Literal':
      return typeof node.value === 'string' || typeof node.value === 'number' ? String(node.value) : null;
    case 'Identifier': {
      const value = constants.get(node.name);
      return value && value !== node ? textOf(value, constants) : null;
    }
    case 'TemplateLiteral':
      return templateText(node, 'cooked', constants);
    case 'TaggedTemplateExpression':
      return isStringRaw(node.tag) ? templateText(node.quasi, 'raw', constants) : null;
    case 'BinaryExpression': {
      const left = textOf(node.left as Expression, constants);
      const right = textOf(node.right, constants);
      if (left === null || right === null) return null;
      if (node.operator === '*') return String(Number(left) * Number(right));
      return node.operator === '+' ? left + right : null;
    }
    default:
      return null;
  }
}

function templateText(
  { quasis, expressions }: TemplateLiteral,
  form: 'cooked' | 'raw',
  constants: Constants,
): string | null {
  const parts = quasis.flatMap(({ value }, index) => {
    const expression = expressions[index];
    return expression ? [value[form], textOf(expression, constants)] : [value[form]];
  });
  return parts.includes(null) ? null : parts.join('');
}

const isStringRaw = (tag: Expression): boolean =>
  tag.type === 'MemberExpression' &&
  tag.object.type === 'Identifier' &&
  tag.object.name === 'String' &&
  tag.property.type === 'Identifier' &&
  tag.property.name === 'raw';

import { parseSync, type TemplateLiteral, Visitor } from 'oxc-parser';

/** Where a file names a table. */
export interface TableName {
  readonly table: string;
  readonly line: number;
}

const queryCall = /^(?:selectFrom|insertInto|updateTable|deleteFrom|table|\w*[jJ]oin)$/;
const statement = /\b(?:select|insert into|update|delete from|exists|join|truncate|alter|copy|from)\b/i;

/**
 * The tables that the texts of a file name: SQL, calls of the query builder, and names that are put into SQL when it runs. A
 * name of one word, such as `users`, counts only where SQL or the query builder expects a table.
 */
export function findTableNames(file: string, text: string, tables: ReadonlySet<string>): TableName[] {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const found: TableName[] = [];
  const add = (table: string, offset: number) => {
    if (tables.has(table)) found.push({ table, line: text.slice(0, offset).split('\n').length });
  };
  const read = (words: string, offset: number) => {
    for (const { 0: name, index } of words.matchAll(/(?<![\w.])\w+_\w+/g)) add(name, offset + index);
    if (!statement.test(words)) return;
    for (const { 0: list, index } of words.matchAll(tableList)) {
      for (const { 0: name, index: at } of list.matchAll(/(?<=^\w+\s+|,\s*)[a-z]+(?!\w)/g)) {
        add(name, offset + index + at);
      }
    }
  };
  new Visitor({
    CallExpression: ({ callee, arguments: [first] }) => {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      if (!queryCall.test(callee.property.name) || first?.type !== 'Literal') return;
      const [name] = String(first.value).split(' ');
      if (name && !name.includes('_')) add(name, first.start);
    },
    Literal: ({ value, start }) => {
      if (typeof value === 'string') read(value, start);
    },
    TemplateLiteral: (node) => read(joined(node), node.start),
  }).visit(program);
  return found;
}

/** `from a, b`, `join a`, `into a`, `update a`: the names of one word that are tables here. */
const tableList =
  /\b(?:from|join|into|update|only|table|truncate)\s+[a-z]+(?!\w)(?:(?:\s+(?:as\s+)?\w+)?,\s*\w+)*/gi;

/** The words of a template, each where it is in the file, with question marks instead of what is put in. */
function joined({ quasis, start }: TemplateLiteral): string {
  let words = '';
  for (const { start: at, value } of quasis) words = words.padEnd(at - start, '?') + value.raw;
  return words;
}

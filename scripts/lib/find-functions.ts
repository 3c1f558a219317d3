import { parseSync } from 'oxc-parser';

interface Declaration {
  readonly name: string;
  readonly text: string;
}

/** The functions and classes of a file. */
export function findFunctions(file: string, text: string): Declaration[] {
  return parseSync(file, text).program.body.flatMap((node) => {
    const declared = node.type === 'ExportNamedDeclaration' && node.declaration ? node.declaration : node;
    const name = nameOf(declared);
    return name === undefined ? [] : [{ name, text: text.slice(declared.start, declared.end) }];
  });
}

type Body = ReturnType<typeof parseSync>['program']['body'];

function nameOf(declared: Body[number]): string | undefined {
  if (declared.type === 'FunctionDeclaration' || declared.type === 'ClassDeclaration')
    return declared.id?.name;
  if (declared.type !== 'VariableDeclaration') return undefined;
  const [{ id, init } = {}] = declared.declarations;
  return init?.type === 'ArrowFunctionExpression' && id?.type === 'Identifier' ? id.name : undefined;
}

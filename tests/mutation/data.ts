// A Stryker plugin: leaves out what is data. Stryker loads this file by its path and reads `strykerPlugins`.

/** Properties of the tables of the engine whose values decide nothing, and why a change to them is not tried. */
const dataProperties: Record<string, string> = {
  taughtBy: 'replies that test the rule beside them',
  note: 'prose of docs/verdicts.md',
  provider: 'prose of docs/verdicts.md',
};

interface SyntaxPath {
  readonly node: { readonly type: string; readonly key?: unknown; readonly value?: unknown };
}

const ignorer = {
  shouldIgnore: ({ node }: SyntaxPath): string | undefined => {
    if (node.type !== 'ObjectProperty') return undefined;
    const { name = '' } = node.key as { name?: string };
    if (Object.hasOwn(dataProperties, name)) return dataProperties[name];
    const { value } = node.value as { value?: unknown };
    const isSentence = name === 'meaning' && typeof value === 'string' && value.includes(' ');
    return isSentence ? 'prose of docs/verdicts.md' : undefined;
  },
};

export const strykerPlugins = [{ kind: 'Ignore', name: 'data', value: ignorer }];

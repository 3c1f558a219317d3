// A Stryker plugin that leaves out what is data. Stryker loads this file by its path and reads `strykerPlugins`.

/** Properties of a rule for replies that decide nothing, and why a change to them is not tried. */
const dataProperties: Record<string, string> = {
  taughtBy: 'replies that test the rule beside them',
  note: 'prose of docs/verdicts.md',
  provider: 'prose of docs/verdicts.md',
};

interface SyntaxNode {
  readonly type: string;
  readonly key?: { readonly name?: string };
  /** Of an object. */
  readonly properties?: readonly SyntaxNode[];
}

const ignorer = {
  shouldIgnore: ({ node, parent }: { node: SyntaxNode; parent?: SyntaxNode }): string | undefined => {
    const isOfRule = parent?.properties?.some(({ key }) => key?.name === 'taughtBy');
    return node.type === 'ObjectProperty' && isOfRule ? dataProperties[node.key?.name ?? ''] : undefined;
  },
};

export const strykerPlugins = [{ kind: 'Ignore', name: 'data', value: ignorer }];

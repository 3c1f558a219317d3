import { Marked, type Tokens } from 'marked';

type Language = 'sh' | 'ts' | 'python';

export interface Example {
  readonly language: Language;
  /** A program that waits for events instead of one that ends. */
  readonly isReceiver: boolean;
  readonly code: string;
  /** The output on the page. */
  readonly prints: { readonly kind: 'json' | 'output'; readonly text: string } | null;
}

const languages: readonly string[] = ['sh', 'ts', 'python'] satisfies Language[];
const outputs: readonly string[] = ['json', 'output'];

/** The programs of a page of the guide, each with its output on the page. */
export function examplesOf(page: string): Example[] {
  const blocks = new Marked()
    .lexer(page)
    .filter((token) => token.type !== 'space')
    .map((token) => (token.type === 'code' ? (token as Tokens.Code) : null));
  return blocks.flatMap((block, index) => {
    const [language = '', kind] = block?.lang?.split(' ') ?? [];
    if (!block || !languages.includes(language)) return [];
    const next = blocks[index + 1];
    const prints =
      next && outputs.includes(next.lang ?? '')
        ? { kind: next.lang as 'json' | 'output', text: next.text }
        : null;
    return [{ language: language as Language, isReceiver: kind === 'receiver', code: block.text, prints }];
  });
}

import type { Example } from './zone/plan.ts';

/** The names to try, as the tables of docs/mail-world.md. */
export function renderExamples(examples: Example[]): string {
  const chapters = Map.groupBy(examples, ({ chapter }) => chapter);
  return [...chapters].map(([chapter, rows]) => `### ${chapter}\n\n${renderTable(rows)}\n`).join('\n');
}

function renderTable(examples: Example[]): string {
  const rows = examples.map(
    ({ address, result, reason, note }) => `| \`${address}\` | ${result} | \`${reason}\` | ${note} |`,
  );
  return ['| address | verdict | reason | what happens |', '|---|---|---|---|', ...rows].join('\n');
}

import { type DomainPlan, type Example, truths, type Zone } from './zone/plan.ts';

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

/** The hosts that are hard to judge, as docs/mail-world-hosts.md lists them. */
export function renderHosts({ domains }: Zone): string {
  const hosts = [...domains.values()].filter(({ truths: known }) => known.length > 0);
  const chapters = [...Map.groupBy(hosts, ({ chapter }) => chapter)];
  return [
    `There are ${hosts.length} of them.`,
    ...chapters.map(([chapter, rows]) => `## ${chapter}\n\n${renderHostTable(rows)}`),
    '',
  ].join('\n\n');
}

function renderHostTable(hosts: DomainPlan[]): string {
  const rows = hosts.map(({ name, about, truths: known, isFickle }) => {
    const told = truths.flatMap((truth) => {
      const names = known.filter((mailbox) => mailbox.truth === truth).map((mailbox) => mailbox.name);
      return names.length > 0 ? `${truth}: ${shorten(names)}` : [];
    });
    return `| \`${name}\` | ${about} | ${told.join('; ')}${isFickle ? ' (fickle)' : ''} |`;
  });
  return ['| domain | what its host does | truth |', '|---|---|---|', ...rows].join('\n');
}

const shorten = (names: string[]): string =>
  names.length > 4 ? `${names[0]} … ${names.at(-1)}` : names.join(', ');

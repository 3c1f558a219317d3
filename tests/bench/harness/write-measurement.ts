import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { readVersion } from '../../../apps/server/src/platform/version.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = 'docs/measurements';

export interface Measurement {
  /** The suite, then its options. */
  command: readonly string[];
  figures: string;
  startedAt: Date;
  /** The load average of the machine before it began: other work makes figures worse. */
  load: number;
}

/** Writes the page of a command, over that of its last run. Returns the path. */
export async function writeMeasurement({ command, figures, startedAt, load }: Measurement): Promise<string> {
  const { commit } = await readVersion(null);
  const processors = cpus();
  const facts = [
    startedAt.toISOString().slice(0, 10),
    `commit ${commit.slice(0, 8)}`,
    `${processors.length} × ${processors[0]?.model.trim()}`,
    `load ${load.toFixed(1)}`,
    `Node ${process.versions.node}`,
  ];
  const block = figures.replaceAll(/^\n+|\n+$/g, '');
  const path = `${folder}/${command.join(' ').replaceAll(/\W+/g, '-')}.md`;
  await mkdir(`${root}${folder}`, { recursive: true });
  await writeFile(
    `${root}${path}`,
    `# npm run bench -- ${command.join(' ')}\n\n${facts.join(' · ')}\n\n\`\`\`\n${block}\n\`\`\`\n`,
  );
  return path;
}

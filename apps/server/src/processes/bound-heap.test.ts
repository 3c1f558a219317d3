import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const program = fileURLToPath(new URL('bound-heap.ts', import.meta.url));

/** The new space, in MiB, of a process whose semi-spaces start at 16 MiB and that keeps many objects alive for a while. */
async function newSpaceAfterWork(before: string): Promise<number> {
  const work = `
    import { boundHeap, newSpaceBytes } from ${JSON.stringify(program)};
    ${before}
    const kept = [];
    for (let made = 0; made < 6_000_000; made++) kept[made % 300_000] = { made, words: [made] };
    console.log(newSpaceBytes() / 2 ** 20);`;
  const spaces = ['--min-semi-space-size=16', '--max-semi-space-size=64'];
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...spaces,
    '--input-type=module',
    '--eval',
    work,
  ]);
  return Number(stdout);
}

describe('boundHeap', () => {
  it('stops the new space from growing beyond its limit', async () => {
    expect(await newSpaceAfterWork('')).toBeGreaterThan(32);
    expect(await newSpaceAfterWork('boundHeap(16 * 2 ** 20);')).toBe(32);
  });

  it('lets a new space below the limit grow', async () => {
    expect(await newSpaceAfterWork('boundHeap(64 * 2 ** 20);')).toBeGreaterThan(32);
  });
});

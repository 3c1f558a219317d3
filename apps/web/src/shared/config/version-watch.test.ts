import { expect, it } from 'vitest';
import { createVersionWatch } from './version-watch.ts';

const answering = (answers: (unknown | Error)[]) => async () => {
  const answer = answers.shift();
  if (answer instanceof Error) throw answer;
  return answer;
};

async function commitsTold(answers: (unknown | Error)[]): Promise<string[]> {
  const told: string[] = [];
  const checks = answers.length;
  const watch = createVersionWatch({
    fetchVersion: answering(answers),
    onNewCommit: (commit) => told.push(commit),
  });
  for (let count = 0; count < checks; count += 1) await watch.check();
  return told;
}

const at = (commit: string) => ({ version: '0.1.0', commit });

it('the commit that the page began with is not new', async () => {
  expect(await commitsTold([at('a'), at('a')])).toEqual([]);
});

it('reports another commit once', async () => {
  expect(await commitsTold([at('a'), at('b'), at('b'), at('c')])).toEqual(['b', 'c']);
});

it('a failed check and an unreadable answer are passed over', async () => {
  expect(
    await commitsTold([new Error('offline'), at('a'), '<html>', new Error('offline'), at('a'), at('b')]),
  ).toEqual(['b']);
});

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';
import { expect, it } from 'vitest';
import { type Reason, reasons } from './reasons.ts';
import { replyRules, rulesBySubject } from './reply-rules.ts';
import { rulesVersion, ruleVersions } from './rule-versions.ts';

const sources = (patterns: object) =>
  Object.fromEntries(
    Object.entries(patterns).map(([name, value]) => [name, value instanceof RegExp ? String(value) : value]),
  );

/** What decides a reply, without what only explains it. */
const rules = replyRules.map(({ id, meaning, reason, code, enhanced, text, alsoText, isAmbiguous }) =>
  sources({ id, meaning, reason, code, enhanced, text, alsoText, isAmbiguous }),
);
const orders = Object.entries(rulesBySubject).map(([subject, list]) => [subject, list.map(({ id }) => id)]);
/** The code that reads by the rules, without its comments and its layout. */
const code = ['classify-reply', 'echoed-mailbox', 'judge', 'same-words', 'subject'].map((name) => {
  const text = readFileSync(new URL(`./${name}.ts`, import.meta.url), 'utf8');
  const { comments } = parseSync(`${name}.ts`, text);
  const starts = [0, ...comments.map(({ end }) => end)];
  const ends = [...comments.map(({ start }) => start), text.length];
  return starts.map((start, index) => text.slice(start, ends[index]).replace(/\s+/g, '')).join('');
});
const names = Object.keys(reasons) as Reason[];
const results = names.map((reason) => [reason, reasons[reason].result]);
const fingerprint = createHash('sha256')
  .update(JSON.stringify({ rules, orders, code, results }))
  .digest('hex')
  .slice(0, 16);

it('a change of the rules is a new version of them', () => {
  const known = new Set(idsSoFar());
  const ids = new Set(replyRules.map(({ id }) => id));
  const next = {
    version: rulesVersion + 1,
    fingerprint,
    added: [...ids].filter((id) => !known.has(id)),
    removed: [...known].filter((id) => !ids.has(id)),
  };
  const hint = `The rules have changed. Add this to ruleVersions, with the date: ${JSON.stringify(next)}`;
  expect(ruleVersions.at(-1)?.fingerprint, hint).toBe(fingerprint);
  expect(next, hint).toMatchObject({ added: [], removed: [] });
});

it('versions count from 1, and no id of a rule comes back', () => {
  expect(ruleVersions.map(({ version }) => version)).toEqual(ruleVersions.map((_, index) => index + 1));
  const added = ruleVersions.flatMap((version) => version.added);
  expect(added).toHaveLength(new Set(added).size);
  expect(new Set(ruleVersions.map((version) => version.fingerprint)).size).toBe(ruleVersions.length);
});

function idsSoFar(): string[] {
  const ids = new Set<string>();
  for (const { added, removed } of ruleVersions) {
    for (const id of added) ids.add(id);
    for (const id of removed) ids.delete(id);
  }
  return [...ids];
}

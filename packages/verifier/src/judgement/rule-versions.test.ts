import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { classifyReply, parseWrittenReply } from './classify-reply.ts';
import { judgeAccepted, judgeFailures, judgeRefused } from './judge.ts';
import { type Reason, reasons } from './reasons.ts';
import { replyRules, rulesBySubject } from './reply-rules.ts';
import { rulesVersion, ruleVersions } from './rule-versions.ts';
import { subjectPatterns } from './subject.ts';

const sources = (patterns: object) =>
  Object.fromEntries(
    Object.entries(patterns).map(([name, value]) => [name, value instanceof RegExp ? String(value) : value]),
  );

/** What decides a reply, without what only explains it. */
const rules = replyRules.map(({ id, meaning, reason, code, enhanced, text, alsoText, isAmbiguous }) =>
  sources({ id, meaning, reason, code, enhanced, text, alsoText, isAmbiguous }),
);
const orders = Object.entries(rulesBySubject).map(([subject, list]) => [subject, list.map(({ id }) => id)]);
/** The code that reads replies is part of the rules: it shows in what they make of known replies. */
const readings = replyRules.flatMap(({ taughtBy }) =>
  taughtBy.map(({ reply }) => {
    const { code, text } = parseWrittenReply(reply) as { code: number; text: string };
    const { meaning, reason, rule, isAmbiguous } = classifyReply(code, text);
    return [reply, meaning, reason, rule, isAmbiguous];
  }),
);
const names = Object.keys(reasons) as Reason[];
const refusal = { meaning: 'refused', reason: 'no_such_mailbox', rule: 'any' } as const;
const judgements = [
  names.map((reason) => [reason, reasons[reason].result]),
  (['yes', 'no', 'unproved', 'changed'] as const).map(judgeAccepted),
  (['confirmed', 'refuted', 'unproved', 'unprovable', 'changed'] as const).map((knowledge) =>
    judgeRefused(refusal, knowledge),
  ),
  names.flatMap((one) => names.map((other) => judgeFailures([{ reason: one }, { reason: other }]))),
];
const fingerprint = createHash('sha256')
  .update(JSON.stringify({ rules, orders, subject: sources(subjectPatterns), readings, judgements }))
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

import { describe, expect, it } from 'vitest';
import { createLogger } from '../logging/index.ts';
import { watchProvider } from './provider-notes.ts';

describe('what the tokens of a provider tell the operator', () => {
  const warningsFor = (...tokens: Parameters<ReturnType<typeof watchProvider>>[0][]) => {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(JSON.parse(line).msg) };
    const watch = watchProvider(createLogger({ level: 'info', process: 'test', destination }));
    for (const token of tokens) watch(token);
    return lines;
  };
  const good = { lifeSeconds: 1_800, tellsSignIn: true, tellsSession: true };

  it('nothing, when they live half an hour and name the sign-in and the session', () => {
    expect(warningsFor(good)).toEqual([]);
  });

  it.each([
    [{ ...good, lifeSeconds: 28_800 }, 'live longer than advised'],
    [{ ...good, tellsSignIn: false }, 'no auth_time'],
    [{ ...good, tellsSession: false }, 'no sid'],
  ])('%j is logged once, however many come', (token, words) => {
    const warnings = warningsFor(token, token, token);

    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(words);
  });
});

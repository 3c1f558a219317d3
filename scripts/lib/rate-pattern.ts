import recheck from 'recheck/lib/browser.js';

/** What an expression costs at worst, and the text that shows it. */
export type Rating =
  | { readonly isLinear: true }
  | { readonly isLinear: false; readonly problem: string; readonly attack?: string };

/** Far above what any takes, also on a busy machine: a time limit would make the answer depend on the load. */
const timeoutMs = 600_000;
/** A repetition that is bounded above this is rated as if it had no bound, or a large bound would hide any cost. */
const harmlessRepetitions = 8;

/**
 * Rates one expression by automata theory, so that the same expression always gets the same answer. Alternatives at the
 * top are rated one by one: a match tries each in turn, so the whole is linear exactly where each of them is.
 */
export function ratePattern(source: string, flags: string): Rating {
  for (const alternative of alternativesOf(source)) {
    const rated = recheck.checkSync(withoutLargeBounds(alternative), flags, {
      checker: 'automaton',
      timeout: timeoutMs,
    });
    if (rated.status === 'unknown')
      return { isLinear: false, problem: `cannot be rated (${rated.error.kind})` };
    if (rated.status === 'vulnerable')
      return { isLinear: false, problem: rated.complexity.summary, attack: rated.attack.pattern };
  }
  return { isLinear: true };
}

function withoutLargeBounds(source: string): string {
  return source.replace(/\{(\d+)(?:,(\d*))?\}/g, (bounds, min: string, max: string | undefined) => {
    if (max === '' || Number(max ?? min) <= harmlessRepetitions) return bounds;
    return min === '0' ? '*' : '+';
  });
}

/** Splits at every `|` that is in no group and no class; leaves expressions with back-references whole. */
function alternativesOf(source: string): string[] {
  if (/\\[1-9k]/.test(source)) return [source];
  const alternatives: string[] = [];
  let start = 0;
  let depth = 0;
  let isInClass = false;
  for (let at = 0; at < source.length; at += 1) {
    const character = source[at];
    if (character === '\\') at += 1;
    else if (isInClass) isInClass = character !== ']';
    else if (character === '[') isInClass = true;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    else if (character === '|' && depth === 0) {
      alternatives.push(source.slice(start, at));
      start = at + 1;
    }
  }
  return [...alternatives, source.slice(start)];
}

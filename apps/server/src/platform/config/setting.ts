/** One variable of the environment. */
export interface Setting<Value> {
  readonly name: string;
  /** For the table in docs/configuration.md. */
  readonly meaning: string;
  /** The value when not given, as an operator would write it. Written here only; the table shows it. */
  readonly default?: string;
  /** In place of a default: words for a value that follows from other settings, or for none. */
  readonly otherwise?: string;
  /** What the table adds to the default. */
  readonly note?: string;
  /** Throws a sentence part that completes "NAME …", such as `must be a whole number`. */
  readonly parse: (text: string) => Value;
}

/** A value that is not what its setting asks for; the message completes "NAME …". */
export class SettingProblem extends Error {}

/** Everything wrong with the environment, in one message. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      `The configuration has ${count(problems.length)}:\n${problems.map((line) => `  - ${line}`).join('\n')}`,
    );
    this.problems = problems;
  }
}

const count = (problems: number): string => (problems === 1 ? 'a mistake' : `${problems} mistakes`);

/** Reads settings one by one and keeps every problem, so that an operator mends them all at once. */
export function readingFrom(env: NodeJS.ProcessEnv) {
  const problems: string[] = [];

  /** An empty variable counts as not given: that is what shells and container files make of an unset one. */
  function read<Value>(setting: Setting<Value>, fallback?: () => Value): Value {
    const text = env[setting.name]?.trim();
    if (text) return parsed(setting, text);
    if (setting.default !== undefined) return setting.parse(setting.default);
    if (fallback) return fallback();
    problems.push(`${setting.name} must be given: ${setting.meaning}`);
    return undefined as Value;
  }

  function parsed<Value>(setting: Setting<Value>, text: string): Value {
    try {
      return setting.parse(text);
    } catch (error) {
      if (!(error instanceof SettingProblem)) throw error;
      problems.push(`${setting.name} ${error.message}`);
      return undefined as Value;
    }
  }

  return {
    read,
    /** Call after the last read. */
    refuseProblems(): void {
      if (problems.length > 0) throw new ConfigError(problems);
    },
  };
}

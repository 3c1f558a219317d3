import * as z from 'zod/mini';

interface TextListLimits {
  readonly lengthMax: number;
  readonly textLengthMax: number;
  readonly ifEmpty: string;
  readonly ifTooLong: string;
}

/** An array schema reports every wrong entry, which takes too long when there are 100,000 of them. */
const problemsMax = 500;

/** A list of texts that may be very long. It is read in one loop, which ends once enough problems were found. */
export function textList({ lengthMax, textLengthMax, ifEmpty, ifTooLong }: TextListLimits) {
  return z
    .custom<string[]>()
    .check(
      z.check(({ value, issues }) => {
        if (!Array.isArray(value)) issues.push({ code: 'invalid_type', expected: 'array', input: value });
        else if (value.length === 0) issues.push({ code: 'custom', message: ifEmpty, input: value });
        else if (value.length > lengthMax) issues.push({ code: 'custom', message: ifTooLong, input: value });
        else findProblems(value, textLengthMax, issues);
      }),
    )
    .register(z.globalRegistry, {
      type: 'array',
      items: { type: 'string', maxLength: textLengthMax },
      minItems: 1,
      maxItems: lengthMax,
    });
}

function findProblems(texts: readonly unknown[], lengthMax: number, issues: z.core.$ZodRawIssue[]): void {
  for (const [index, input] of texts.entries()) {
    if (issues.length === problemsMax) return;
    const path = [index];
    if (typeof input !== 'string') issues.push({ code: 'invalid_type', expected: 'string', input, path });
    else if (input.length > lengthMax)
      issues.push({ code: 'too_big', origin: 'string', maximum: lengthMax, inclusive: true, input, path });
  }
}

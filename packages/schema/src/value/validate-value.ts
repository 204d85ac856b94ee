import type { FieldError, JsonValue } from '@flotilla/kube';
import type { Correlation } from './correlation.ts';
import { explainValue } from './explain-value.ts';
import { fieldErrorOf, Findings } from './problem.ts';
import type { ValueSchema } from './value-schema.ts';

/** `prefix` is where the value stands in its object; `correlate` is asked only when something is wrong. */
export function validateValue(
  value: JsonValue,
  schema: ValueSchema,
  { prefix = '', correlate }: { prefix?: string; correlate?: () => Correlation | undefined } = {},
): FieldError[] {
  if (schema.fits(value)) return [];
  const findings = new Findings();
  explainValue(value, schema, { path: '', correlation: correlate?.(), findings });
  return findings.problems.map((problem) => fieldErrorOf(problem, prefix));
}
